"""Tools: the registry and the families of tools that a model may call."""
