"""An adapter for a chat that can only print lines: the smallest one that fulfils the contract.

It shows what a new chat needs, as CONTRIBUTING.md lists it. Nothing can be edited here, there are no
pictures and no files, and buttons are numbers that people type.
"""

from tests.adapters.plain.adapter import PlainAdapter
