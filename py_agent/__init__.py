"""py_agent: an agent runtime that runs in a browser tab, in Node and in CPython."""

TYPE_CHECKING = False  # a type checker takes it as true; to import typing for it would double the cost of this import
if TYPE_CHECKING:
    from py_agent.client import AgentClient, AgentOptions

__all__ = ["AgentClient", "AgentOptions", "__version__"]

__version__ = "0.1.0"

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Load the façade when it is first asked for: whoever imports a part of py_agent need not pay for all."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from py_agent import client

        return getattr(client, name)
