"""What the model is sent: the fixed prefix and the history."""
