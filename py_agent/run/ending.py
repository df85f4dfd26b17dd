"""Ending a run: each open call gets its result, and the result of the run comes last."""

from py_agent.core.events import Result, WorkspaceDiff
from py_agent.core.limits import StopReason
from py_agent.core.usage import Usage
from py_agent.errors import StorageError
from py_agent.run.calls import not_run
from py_agent.run.session import Session


async def end_run(session: Session, reason: StopReason, error: Exception | None = None) -> None:
    """Close the open run and tell its result. Where the disk does not take its end, or did not take its
    start, the result is an error and is only told."""
    await session.log.drain()
    if session.state.run is None:
        session.log.tell(_result(session, reason, error))
        return
    try:
        await close_run(session, reason, error)
    except StorageError as fault:
        session.log.tell(_result(session, "error", error or fault))


async def close_run(session: Session, reason: StopReason, error: Exception | None = None) -> None:
    """Store the end of the open run."""
    run = session.state.run
    late = f"The run ended ({reason}) before this call did."
    closed = [not_run(tool_use_id, late) for tool_use_id in run.calls] if run else []
    await session.append(*closed, *_diff(session), _result(session, reason, error))


def _result(session: Session, reason: StopReason, error: Exception | None) -> Result:
    run = session.state.run
    return Result(
        session_id=session.session_id,
        run_id=run.run_id if run else None,
        final_text=run.final_text if run else "",
        stop_reason=reason,
        usage=run.usage if run else Usage(),
        error_type=type(error).__name__ if error else None,
        error_message=str(error) if error else None,
    )


def _diff(session: Session) -> list[WorkspaceDiff]:
    changes = session.workspace.changes().files
    if not len(changes):
        return []
    return [WorkspaceDiff(adds=len(changes.adds), modifies=len(changes.modifies), deletes=len(changes.deletes))]
