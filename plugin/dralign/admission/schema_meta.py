"""Field tables of the metadata of all objects; written by tests/admission/make_schema.py, see ``schema.py``."""

from __future__ import annotations

TABLE = """\
[meta]
Condition type=string! status=ConditionStatus! observedGeneration=int64 lastTransitionTime=Time! reason=string!
  message=string!
LabelSelector matchLabels={}string matchExpressions=[]LabelSelectorRequirement
LabelSelectorRequirement key=string! operator=LabelSelectorOperator! values=[]string
ManagedFieldsEntry manager=string operation=ManagedFieldsOperationType apiVersion=string time=*Time
  fieldsType=string fieldsV1=*RawExtension subresource=string
ObjectMeta name=string generateName=string namespace=string selfLink=string uid=UID resourceVersion=string
  generation=int64 creationTimestamp=Time@-33 creationTimestamp=Time?@34 deletionTimestamp=*Time
  deletionGracePeriodSeconds=*int64 labels={}string annotations={}string ownerReferences=[]OwnerReference
  finalizers=[]string managedFields=[]ManagedFieldsEntry
OwnerReference apiVersion=string! kind=string! name=string! uid=UID! controller=*bool blockOwnerDeletion=*bool
ConditionStatus:string
LabelSelectorOperator:string
ManagedFieldsOperationType:string
"""
