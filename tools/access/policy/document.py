"""Schema of the policy file: grants to everyone, groups and keys, and assistants with fixed settings.

    [everyone]
    methods = ["fif", "hybrid"]
    [everyone.most]
    usd = 0.25
    [groups.research]
    members = ["anna"]
    web = true
    [assistants.helpdesk]
    method = "fif"
    settings = { corpus = "handbook", reader = "openai:gpt-5-mini" }

A group inherits what it leaves out from everyone, a key from its group.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from backtrail.tools.settings.keys import ROLES

Count = Annotated[int, Field(ge=0)]
Bound = Annotated[int, Field(ge=1)]
Patterns = Annotated[list[Annotated[str, Field(min_length=1, max_length=1_000)]], Field(max_length=1_000)]
_STRICT = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Most(BaseModel):
    """Ceilings of one run and its uploads; None leaves the server's own limits."""

    model_config = _STRICT

    steps: Annotated[int, Field(ge=1, le=200)] | None = None
    calls: Count | None = None
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    usd: Annotated[float, Field(ge=0)] | None = None
    seconds: Annotated[float, Field(gt=0)] | None = None
    question: Bound | None = Field(default=None, description="Characters.")
    picture: Bound | None = Field(default=None, description="Bytes of one picture that comes with a question.")
    upload: Bound | None = Field(default=None, description="Bytes of one uploaded file.")
    uploads: Bound | None = Field(default=None, description="Bytes of all files in all corpora of one owner.")
    files: Bound | None = Field(default=None, description="Files of one corpus.")
    documents: Bound | None = Field(default=None, description="Documents of the files of one corpus.")


class Quota(BaseModel):
    """Limits per day, which begins at midnight UTC."""

    model_config = _STRICT

    runs: Count | None = None
    tokens: Count | None = Field(default=None, description="Input and output together.")
    usd: Annotated[float, Field(ge=0)] | None = None


class Rate(BaseModel):
    """Limits on the rate and the concurrency of requests and runs."""

    model_config = _STRICT

    requests: Bound | None = Field(default=None, description="Requests a minute, over all processes.")
    runs: Bound | None = Field(default=None, description="Runs begun a minute, over all processes.")
    concurrent_runs: Bound | None = Field(default=None, description="Pending and running runs, over all processes.")


class Grants(BaseModel):
    """What somebody may choose and spend. None inherits from the wider grants."""

    model_config = _STRICT

    methods: Patterns | None = None
    corpora: Patterns | None = None
    models: Patterns | None = Field(default=None, description="Models; without it, those at the host's addresses.")
    roles: Patterns | None = Field(default=None, description="Roles for which a model may be chosen.")
    settings: Patterns | None = Field(
        default=None, description="Settings that may be chosen, beside corpus, models and budget."
    )
    web: bool | None = Field(default=None, description="Whether the web may be searched.")
    ingest: bool | None = Field(default=None, description="Whether files may be uploaded into corpora of one's own.")
    most: Most = Most()
    quota: Quota = Quota()
    rate: Rate = Rate()
    defaults: dict[str, Any] = Field(default={}, description="Settings for what clients do not choose.")


class Group(Grants):
    """Grants to the members of a group."""

    members: Patterns = Field(default=[], description="Holders of keys, and subjects of tokens.")


class FixedAssistant(BaseModel):
    """An assistant of the host: clients run it and may set only the ``changeable`` settings."""

    model_config = _STRICT

    method: str
    description: str = Field(default="", max_length=1_000)
    settings: dict[str, Any] = {}
    changeable: Patterns = []
    whom: Patterns | None = Field(default=None, alias="for", description="Keys and groups; without it, everybody.")


class Policy(BaseModel):
    """The policy file."""

    model_config = _STRICT

    everyone: Grants = Grants()
    groups: dict[str, Group] = {}
    keys: dict[str, Grants] = {}
    assistants: dict[str, FixedAssistant] = {}

    def group_of(self, name: str) -> str:
        """The group of a name; empty without one."""
        return next((group for group, grants in self.groups.items() if name in grants.members), "")

    def models(self) -> list[str]:
        """All names and patterns of models in the policy, except ``*`` alone."""
        grants = [self.everyone, *self.groups.values(), *self.keys.values()]
        listed = [pattern for one in grants for pattern in one.models or []]
        tables = [one.defaults for one in grants] + [one.settings for one in self.assistants.values()]
        chosen = [str(value) for table in tables for key, value in table.items() if key in ROLES]
        return [name for name in [*listed, *chosen] if name != "*"]
