"""The API server of a live cluster, read and never written. Imported only for verbs that ask for a cluster.

The official client finds the server and proves who asks (kubeconfig, exec plugins, service account); what is asked is
plain GET, since the typed calls of the client differ from release to release.
"""

from __future__ import annotations

import json
import os
from urllib.parse import quote

from dralign.errors import UsageError
from dralign.settings import KUBE_VERSIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

PAGE = 500
"""Objects per answer of a list."""

TIMEOUT = 30
"""Seconds until an answer must have come."""


class ClusterError(UsageError):
    """The API server did not answer with what was asked; ``status`` is HTTP's, 0 where there was no answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Cluster:
    """A connection to an API server."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.host = str(client.configuration.host).rstrip("/")

    def get(self, path: str) -> Any:
        """Return the JSON at a path such as ``/api/v1/nodes``.

        Raises:
            ClusterError: refused, not there, or no answer.
        """
        from kubernetes.client.exceptions import ApiException  # noqa: PLC0415 -- an extra; few verbs need it
        from urllib3.exceptions import HTTPError  # noqa: PLC0415

        headers = {"Accept": "application/json", "User-Agent": "dralign"}
        for setting in self._client.configuration.auth_settings().values():
            if setting["in"] == "header" and setting["value"]:
                headers[setting["key"]] = setting["value"]
        try:
            response = self._client.rest_client.request(
                "GET", self.host + path, headers=headers, _request_timeout=TIMEOUT
            )
            data = response.read() if hasattr(response, "read") else response.data
        except ApiException as error:
            raise ClusterError(int(error.status or 0), f"{path}: {error.status} {error.reason}") from error
        except HTTPError as error:
            raise ClusterError(0, f"{self.host}: no answer: {type(error).__name__}") from error
        if response.status >= 400:  # newer clients leave it to the caller to look
            raise ClusterError(response.status, f"{path}: {response.status} {response.reason}")
        try:
            return json.loads(data)
        except ValueError as error:
            raise ClusterError(response.status, f"{path}: the answer is no JSON") from error

    def release(self) -> str:
        """Return the cluster's release as far as it is known here: a newer one counts as the latest.

        Raises:
            ClusterError: no answer, or a release that is too old.
        """
        answer = self.get("/version")
        digits = "".join(filter(str.isdecimal, str(answer.get("minor", ""))))
        minors = [int(version.partition(".")[2]) for version in KUBE_VERSIONS]
        if answer.get("major") != "1" or not digits or int(digits) < minors[0]:
            shown = answer.get("gitVersion", "an unknown release")
            raise ClusterError(200, f"{self.host} runs {shown}; want Kubernetes {KUBE_VERSIONS[0]} or later")
        return f"1.{min(int(digits), minors[-1])}"

    def items(self, path: str) -> Iterator[dict[str, Any]]:
        """Yield the objects of a list, page by page. Raises ClusterError."""
        follow = ""
        while True:
            answer = self.get(f"{path}?limit={PAGE}{follow}")
            group_version, kind = answer.get("apiVersion"), str(answer.get("kind", "")).removesuffix("List")
            for item in answer.get("items") or ():
                yield {"apiVersion": group_version, "kind": kind, **item}
            token = (answer.get("metadata") or {}).get("continue")
            if not token:
                return
            follow = f"&continue={quote(token)}"


def connect(kubeconfig: str | None, context: str | None) -> Cluster:
    """Return a connection by kubeconfig, or by the service account of the pod that this runs in.

    Raises:
        UsageError: the client is not installed, or there is no configuration that names a server.
    """
    try:
        from kubernetes import client, config  # noqa: PLC0415
    except ImportError as error:
        raise UsageError("the Kubernetes client is not installed; pip install 'dralign[cluster]'") from error
    settings = client.Configuration()
    settings.retries = False
    try:
        if kubeconfig or context or os.environ.get("KUBECONFIG") or os.path.exists(_DEFAULT):
            config.load_kube_config(kubeconfig, context, settings, persist_config=False)
        else:
            config.load_incluster_config(client_configuration=settings)
    except (config.ConfigException, OSError) as error:
        raise UsageError(f"no cluster: {str(error).rstrip('.')}; want --kubeconfig FILE") from error
    return Cluster(client.ApiClient(settings))


_DEFAULT = os.path.expanduser("~/.kube/config")
