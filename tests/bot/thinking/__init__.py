"""Tests of bot/thinking."""
