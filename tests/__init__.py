"""Tests: plain functions, each a sentence about behaviour."""
