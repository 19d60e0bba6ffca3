"""What the Kubernetes API server refuses, fills in and drops, as tables and small rules over plain data.

Objects come in as JSON-like data (dict, list, str, int, float, bool, None). Nothing here knows YAML, rules or hosts.

    gates      feature gates per release: ``features``, ``default_features``, ``stage``, ``gate_problem``
    served     which group, version and kind a release serves: ``served``
    server     the API server that is asked: ``Server``
    review     a create request: ``review`` gives code and causes, ``defaulted`` what was filled in and dropped
    updates    an update request: ``review_update``
    qos        the QoS class of a pod: ``qos_class``

What is refused is told as causes (``causes.Cause``) in the server's own field paths and words, with a hint of ours where a
field or word is a near miss.
"""
