"""Manifests by the thousand, as Helm charts print them: the input of the benchmarks."""

DEPLOYMENT = """\
---
# Source: bench/templates/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata:
  name: service-{i}
  namespace: team-{team}
  labels:
    app.kubernetes.io/name: service
    app.kubernetes.io/instance: service-{i}
    app.kubernetes.io/version: "1.2.{i}"
    helm.sh/chart: service-4.5.6
  annotations:
    checksum/config: 0f3c{i:08x}a9b8c7d6e5f40123456789abcdef
spec:
  replicas: {replicas}
  revisionHistoryLimit: 3
  selector:
    matchLabels:
      app.kubernetes.io/name: service
      app.kubernetes.io/instance: service-{i}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: service
        app.kubernetes.io/instance: service-{i}
    spec:
      serviceAccountName: service-{i}
      securityContext:
        runAsNonRoot: true
        fsGroup: 1000
      initContainers:
        - name: migrate
          image: "registry.example.com/service:1.2.{i}"
          command: ["/bin/service", "migrate", "--wait"]
          resources:
            requests: {{cpu: "1", memory: 256Mi}}
            limits: {{cpu: "1", memory: 256Mi}}
      containers:
        - name: service
          image: "registry.example.com/service:1.2.{i}"
          imagePullPolicy: IfNotPresent
          args:
            - --listen=:8080
            - --peers=service-{i}-headless.team-{team}.svc.cluster.local
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: LOG_LEVEL
              value: info
            - name: DATABASE_URL
              valueFrom:
                secretKeyRef:
                  name: service-{i}
                  key: database-url
          ports:
            - name: http
              containerPort: 8080
              protocol: TCP
          livenessProbe:
            httpGet: {{path: /healthz, port: http}}
            initialDelaySeconds: 10
          readinessProbe:
            httpGet: {{path: /ready, port: http}}
          resources:
            requests:
              cpu: "8"
              memory: 32Gi{device}
            limits:
              cpu: "8"
              memory: 32Gi{device}
          volumeMounts:
            - name: config
              mountPath: /etc/service
              readOnly: true
            - name: cache
              mountPath: /var/cache/service
      volumes:
        - name: config
          configMap:
            name: service-{i}
        - name: cache
          emptyDir:
            sizeLimit: 1Gi
"""

TEMPLATE = """\
---
# Source: bench/templates/claim.yaml
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: service-{i}
  namespace: team-{team}
spec:
  spec:
    devices:
      requests:
        - name: gpu
          exactly:
            deviceClassName: gpu.nvidia.com
            count: {replicas}
            selectors:
              - cel:
                  expression: device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("{memory}Gi")) >= 0
        - name: nic
          exactly:
            deviceClassName: dranet
      constraints:
        - matchAttribute: resource.kubernetes.io/pcieRoot
          requests: [gpu, nic]
"""
_IN_POD = """\
      resourceClaims:
        - name: devices
          resourceClaimTemplateName: service-{i}
"""
_IN_CONTAINER = """\
            claims:
              - name: devices
"""


def claims(count):
    """Return a stream of Deployments, each with a claim template of its own and a container that uses it."""
    body = DEPLOYMENT.replace("      volumes:\n", _IN_POD + "      volumes:\n")
    body = body.replace("          volumeMounts:\n", _IN_CONTAINER + "          volumeMounts:\n")
    document = TEMPLATE + body
    return "".join(
        document.format(i=i, team=i % 20, replicas=1 + i % 5, memory=1 + i % 97, device="") for i in range(count)
    ).encode()


def deployments(count, *, device=""):
    """Return a stream of Deployments; ``device`` is an extended resource that each container asks for."""
    line = f"\n              {device}: 1" if device else ""
    return "".join(DEPLOYMENT.format(i=i, team=i % 20, replicas=1 + i % 5, device=line) for i in range(count)).encode()


def resource_list(count, *, device=""):
    """Return a ResourceList of Deployments as kustomize hands it to a function."""
    text = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
    for document in deployments(count, device=device).decode().split("---\n")[1:]:
        lines = [line for line in document.split("\n") if line and not line.startswith("#")]
        text += f"- {lines[0]}\n" + "".join(f"  {line}\n" for line in lines[1:])
    return (text + "functionConfig:\n  apiVersion: dralign.dev/v1alpha1\n  kind: Dralign\n").encode()
