"""What scripts/compare is made of: inputs, the tools with their installation, runs, and the page."""
