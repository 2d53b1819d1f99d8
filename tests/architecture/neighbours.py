"""An import-linter contract: which capabilities of a layer may import which of their neighbours."""

from typing import Any

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class NeighboursContract(Contract):
    """Every import between two capabilities of a layer is of a shared one, or is listed.

    What the shared ones import is checked too, except for `roots`, which put the others together.
    A listed pair that nothing uses any more breaks the contract, so that the list stays true.
    """

    layer = fields.StringField()
    capabilities = fields.ListField(subfield=fields.StringField())
    shared = fields.ListField(subfield=fields.StringField())
    roots = fields.ListField(subfield=fields.StringField(), required=False)
    allowed = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        found = self._imports_between_capabilities(graph)
        allowed = set(self.allowed or [])
        packages = {child.rpartition(".")[2] for child in graph.find_children(self._layer)}
        known = {*self.capabilities, *self.shared, *(self.roots or [])}
        with_modules = {p for p in packages if graph.find_children(f"{self._layer}.{p}")}
        problems = [
            *(f"{one}: {found[one]}" for one in sorted(set(found) - allowed)),
            *(f"{one} is listed, and nothing imports so" for one in sorted(allowed - set(found))),
            *(f"the package {p} is not named" for p in sorted(with_modules - known)),
        ]
        return ContractCheck(kept=not problems, metadata={"problems": problems})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for problem in check.metadata["problems"]:
            output.print_error(problem)

    @property
    def _layer(self) -> str:
        return f"labeler.{self.layer}"

    def _imports_between_capabilities(self, graph: ImportGraph) -> dict[str, Any]:
        """By "importer -> imported": one example."""
        found: dict[str, Any] = {}
        for name in (*self.capabilities, *self.shared):
            package = f"{self._layer}.{name}"
            if package not in graph.modules:
                continue
            for module in sorted({package, *graph.find_descendants(package)}):
                for imported in sorted(graph.find_modules_directly_imported_by(module)):
                    other = self._capability_of(imported)
                    if other not in (None, name) and other not in self.shared:
                        found.setdefault(f"{name} -> {other}", f"{module} imports {imported}")
        return found

    def _capability_of(self, module: str) -> str | None:
        parts = module.split(".")
        inside = len(parts) > 2 and ".".join(parts[:2]) == self._layer
        return parts[2] if inside and parts[2] in self.capabilities else None
