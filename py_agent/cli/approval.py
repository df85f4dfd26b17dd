"""Asking the person at the terminal whether a call may run."""

from py_agent.cli.terminal import ask_line, notice
from py_agent.ports.gate import Answer, Question

_ANSWERS = {
    "y": Answer(allowed=True),
    "yes": Answer(allowed=True),
    "": Answer(allowed=False),
    "n": Answer(allowed=False),
    "no": Answer(allowed=False),
    "s": Answer(allowed=False, interrupt=True),
    "stop": Answer(allowed=False, interrupt=True),
}


class TerminalApprover:
    async def ask(self, question: Question) -> Answer:
        notice(f"{question.reason}\n{question.prompt}")
        while True:
            typed = await ask_line("Allow? [y]es, [N]o, [s]top the run: ")
            if answer := _ANSWERS.get(typed.lower()):
                return answer
