"""Ending a run: each open call gets its result, and the result of the run comes last."""

from py_agent.core.events import Result, WorkspaceDiff
from py_agent.core.limits import StopReason
from py_agent.errors import StorageError
from py_agent.run.calls import not_run
from py_agent.run.session import Session


async def end_run(session: Session, reason: StopReason, error: Exception | None = None) -> None:
    """Close the open run. Where the disk does not take its end, or the run's start, it is only told."""
    await session.log.drain()
    run = session.state.run
    result = Result(
        session_id=session.session_id,
        final_text=run.final_text if run else "",
        stop_reason=reason,
        error_type=type(error).__name__ if error else None,
        error_message=str(error) if error else None,
    )
    if run is None:
        session.log.tell(result)
        return
    result = result.model_copy(update={"run_id": run.run_id, "usage": run.usage})
    late = f"The run ended ({reason}) before this call did."
    closed = [not_run(tool_use_id, late) for tool_use_id in run.calls]
    try:
        await session.append(*closed, *_diff(session), result)
    except StorageError:
        session.log.tell(result)


def _diff(session: Session) -> list[WorkspaceDiff]:
    changes = session.workspace.changes().files
    if not len(changes):
        return []
    return [WorkspaceDiff(adds=len(changes.adds), modifies=len(changes.modifies), deletes=len(changes.deletes))]
