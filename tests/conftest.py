"""What holds for all tests."""

from tests.examples import register_profiles

register_profiles()
