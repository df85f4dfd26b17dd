"""Every error that py_agent raises.

PyAgentError
├── UsageError                 a person gave something that cannot work; the text says what to do
│   ├── UnknownProvider
│   ├── BadScript              a script for the scripted model
│   └── BadFile                a file handed to import or restore
├── StorageError
│   ├── StorageMissing         no such file in the store
│   ├── StorageFull            the disk or the quota is full; nothing was changed
│   └── StorageFailed          the store did not take or give the bytes
├── SessionError
│   ├── InvalidSessionId
│   ├── SessionNotFound
│   ├── SessionLocked          another process or tab writes to it
│   └── CorruptSessionLog
├── WorkspaceError             mended by other arguments, so the model sees it
│   ├── InvalidPath
│   ├── PathMissing
│   ├── PathExists
│   └── WrongKind              a directory where a file is needed, or the reverse
├── ToolError                  mended by another call, so the model sees it
│   ├── UnknownTool
│   └── BadArguments
├── NetworkError
│   ├── Unreachable            no response: no such host, no connection, or a browser forbids it
│   └── ConnectionLost         a response broke off
└── ModelError                 the model did not answer; ends the run
    ├── ModelRefused           the endpoint said no; asking again changes nothing
    ├── ModelUnavailable       it may answer later; was asked again as often as is allowed
    └── BadAnswer              it answered with something that is no answer
"""


class PyAgentError(Exception):
    """What went wrong, where, and what to do about it, in one sentence."""


class UsageError(PyAgentError):
    pass


class UnknownProvider(UsageError):
    pass


class BadScript(UsageError):
    pass


class BadFile(UsageError):
    pass


class StorageError(PyAgentError):
    pass


class StorageMissing(StorageError):
    pass


class StorageFull(StorageError):
    pass


class StorageFailed(StorageError):
    pass


class SessionError(PyAgentError):
    pass


class InvalidSessionId(SessionError):
    pass


class SessionNotFound(SessionError):
    pass


class SessionLocked(SessionError):
    pass


class CorruptSessionLog(SessionError):
    """A line of a session's log, not the last one, is damaged. Nothing was overwritten."""

    def __init__(self, session_id: str, line: int, reason: str) -> None:
        super().__init__(
            f"The log of session {session_id} is damaged at line {line}: {reason}. "
            f"Salvage the rest into a new session with `py-agent sessions repair {session_id}`."
        )
        self.session_id = session_id
        self.line = line
        self.reason = reason


class WorkspaceError(PyAgentError):
    pass


class InvalidPath(WorkspaceError):
    pass


class PathMissing(WorkspaceError):
    pass


class PathExists(WorkspaceError):
    pass


class WrongKind(WorkspaceError):
    pass


class ToolError(PyAgentError):
    pass


class UnknownTool(ToolError):
    pass


class BadArguments(ToolError):
    pass


class NetworkError(PyAgentError):
    pass


class Unreachable(NetworkError):
    pass


class ConnectionLost(NetworkError):
    pass


class ModelError(PyAgentError):
    pass


class ModelRefused(ModelError):
    pass


class ModelUnavailable(ModelError):
    """`retry_after_seconds` is what the endpoint asked for."""

    def __init__(self, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds


class BadAnswer(ModelError):
    pass
