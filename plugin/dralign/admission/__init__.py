"""What the Kubernetes API server refuses, fills in and drops, as tables and small rules over plain data.

Objects come in as JSON-like data (dict, list, str, int, float, bool, None). Nothing here knows YAML, rules or hosts.
"""
