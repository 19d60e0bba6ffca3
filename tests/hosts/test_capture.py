"""``dralign inventory capture`` against a server that speaks the paths of the Kubernetes API."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from dralign import registry
from dralign.__main__ import main
from dralign.model.inventory import inventory_from
from dralign.model.numa import layouts_from

kubernetes = pytest.importorskip("kubernetes", reason="the extra 'cluster' is not installed")

GROUP = "/apis/resource.k8s.io"
PRIVATE = "c2VjcmV0LXZhbHVl"
PRESET = registry.preset("r750-a30")
OBJECTS = PRESET.objects(PRESET.chosen({"nodes": "2"}))


def of_kind(kind):
    return [item for item in OBJECTS if item["kind"] == kind]


def stored(item):
    """Return an object as the API server gives it out in a list: with its own bookkeeping, without its type."""
    bare = {key: value for key, value in item.items() if key not in {"apiVersion", "kind"}}
    metadata = {
        **item["metadata"],
        "uid": "5b0d1ef1-3a0e-4d5a-9d2b-7b5b6a1e0001",
        "resourceVersion": "17",
        "managedFields": [{"manager": "kubelet"}],
        "annotations": {"kubectl.kubernetes.io/last-applied-configuration": PRIVATE},
    }
    return {**bare, "metadata": metadata}


def listed(api_version, kind, items, more=None):
    return {
        "apiVersion": api_version,
        "kind": f"{kind}List",
        "metadata": {"continue": more} if more else {},
        "items": [stored(item) for item in items],
    }


CLAIMS = [
    {
        "metadata": {"name": "held", "namespace": "team"},
        "spec": {"devices": {"config": [{"opaque": {"driver": "x", "parameters": {"token": PRIVATE}}}]}},
        "status": {
            "allocation": {
                "devices": {
                    "results": [
                        {"request": "r", "driver": "gpu.nvidia.com", "pool": "r750-a30-0", "device": "gpu-1"},
                    ],
                    "config": [{"opaque": {"parameters": {"token": PRIVATE}}}],
                }
            }
        },
    },
    {"metadata": {"name": "waits", "namespace": "team"}, "spec": {"devices": {}}},
]


def answers():
    """Return what the server answers: bodies by path, or a status."""
    nodes = [{**node, "status": {**node["status"], "images": [{"names": [PRIVATE]}]}} for node in of_kind("Node")]
    slices = of_kind("ResourceSlice")
    resources = ("deviceclasses", "resourceslices", "resourceclaims", "resourceclaimtemplates")
    found = {
        "/api/v1/nodes": listed("v1", "Node", nodes),
        f"{GROUP}/v1": {"resources": [{"name": name} for name in resources]},
        f"{GROUP}/v1beta2": {"resources": [{"name": "devicetaintrules"}, {"name": "resourceslices"}]},
        f"{GROUP}/v1/deviceclasses": listed("resource.k8s.io/v1", "DeviceClass", of_kind("DeviceClass")),
        f"{GROUP}/v1/resourceslices": listed("resource.k8s.io/v1", "ResourceSlice", slices[:3], "a+b/c="),
        f"{GROUP}/v1/resourceslices a+b/c=": listed("resource.k8s.io/v1", "ResourceSlice", slices[3:]),
        f"{GROUP}/v1/resourceclaims": listed("resource.k8s.io/v1", "ResourceClaim", CLAIMS),
        f"{GROUP}/v1beta2/devicetaintrules": listed("resource.k8s.io/v1beta2", "DeviceTaintRule", []),
        "/apis/topology.node.k8s.io/v1alpha2": {"resources": []},
        "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies": listed(
            "topology.node.k8s.io/v1alpha2", "NodeResourceTopology", of_kind("NodeResourceTopology")
        ),
    }
    found["/version"] = {"major": "1", "minor": "36+", "gitVersion": "v1.36.2-gke.100"}
    for node in nodes:
        name = node["metadata"]["name"]
        found[f"/api/v1/nodes/{name}/proxy/configz"] = {"kubeletconfig": {"cpuManagerPolicy": "static"}}
    return found


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        key = " ".join([url.path, *query.get("continue", [])])
        self.server.asked.append(url.path)
        answer = self.server.answers.get(key, 404)
        if self.headers.get("Authorization") != "Bearer open-sesame":
            answer = 401
        body = b"{}" if isinstance(answer, int) else json.dumps(answer).encode()
        self.send_response(answer if isinstance(answer, int) else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Be silent."""


@pytest.fixture
def server():
    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.answers, found.asked = answers(), []
    thread = threading.Thread(target=found.serve_forever, daemon=True)
    thread.start()
    yield found
    found.shutdown()
    found.server_close()
    thread.join()


@pytest.fixture
def kubeconfig(server, tmp_path):
    return configured(tmp_path, f"http://127.0.0.1:{server.server_port}", "open-sesame")


def configured(folder, address, token):
    text = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "here",
        "contexts": [{"name": "here", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": address}}],
        "users": [{"name": "u", "user": {"token": token}}],
    }
    path = folder / "kubeconfig"
    path.write_text(yaml.safe_dump(text))
    return str(path)


def call(monkeypatch, capsysbinary, *arguments, verb=("inventory", "capture")):
    monkeypatch.setattr("sys.argv", ["dralign", *verb, *arguments])
    status = main()
    out, err = capsysbinary.readouterr()
    return status, out.decode(), err.decode()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestCapture:
    def test_one_list_that_an_inventory_can_be_read_from(self, monkeypatch, capsysbinary, kubeconfig):
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig)
        assert (status, err) == (0, "")
        document = yaml.safe_load(out)
        assert (document["kind"], document["apiVersion"]) == ("List", "v1")
        inventory = inventory_from(document["items"])
        assert list(inventory.nodes) == ["r750-a30-0", "r750-a30-1"]
        before = inventory_from(OBJECTS)
        assert [piece.name for piece in inventory.slices] == [piece.name for piece in before.slices]
        assert inventory.classes == before.classes
        assert layouts_from(document["items"]) == layouts_from(OBJECTS)
        assert [(item.pool, item.device) for item in inventory.taken] == [("r750-a30-0", "gpu-1")]
        kubelets = [item for item in document["items"] if "kubeletconfig" in item]
        assert [item["metadata"]["name"] for item in kubelets] == ["r750-a30-0", "r750-a30-1"]
        assert kubelets[0]["kubeletconfig"] == {"cpuManagerPolicy": "static"}

    def test_only_what_matters_is_kept(self, monkeypatch, capsysbinary, kubeconfig, server):
        _, out, _ = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig, "--no-kubelets")
        assert PRIVATE not in out
        assert not any(word in out for word in ("managedFields", "resourceVersion", " uid:", "images", "waits"))
        assert not any("configz" in path or "secrets" in path for path in server.asked)

    def test_a_file(self, monkeypatch, capsysbinary, kubeconfig, tmp_path):
        target = tmp_path / "cluster.yaml"
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig, "--output", str(target))
        items = yaml.safe_load(target.read_text())["items"]
        assert (status, out, err) == (0, "", f"captured {len(items)} objects\n")

    def test_an_older_cluster_without_topologies(self, monkeypatch, capsysbinary, kubeconfig, server):
        for path in [path for path in server.answers if "topology" in path or f"{GROUP}/v1" in path]:
            answer = server.answers.pop(path)
            if path.startswith(f"{GROUP}/v1") and "v1beta2" not in path:
                server.answers[path.replace(f"{GROUP}/v1", f"{GROUP}/v1beta1")] = answer
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig)
        assert (status, err) == (0, "")
        assert len(inventory_from(yaml.safe_load(out)["items"]).slices) == len(of_kind("ResourceSlice"))

    def test_gaps_are_told(self, monkeypatch, capsysbinary, kubeconfig, server):
        server.answers["/api/v1/nodes/r750-a30-1/proxy/configz"] = 403
        server.answers[f"{GROUP}/v1/resourceclaims"] = 403
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig)
        assert status == 0
        assert err.splitlines() == [
            f"dralign: not captured: {GROUP}/v1/resourceclaims?limit=500: 403 Forbidden",
            (
                "dralign: not captured: kubelet configuration of 1 of 2 nodes: "
                "/api/v1/nodes/r750-a30-1/proxy/configz: 403 Forbidden"
            ),
        ]
        assert len(yaml.safe_load(out)["items"]) > 10

    @pytest.mark.parametrize(
        ("path", "status", "message"),
        [
            ("/api/v1/nodes", 403, "/api/v1/nodes?limit=500: 403 Forbidden"),
            (f"{GROUP}/v1/resourceslices", 500, f"{GROUP}/v1/resourceslices?limit=500: 500 Internal Server Error"),
        ],
    )
    def test_without_nodes_or_slices_there_is_none(
        self, monkeypatch, capsysbinary, kubeconfig, server, path, status, message
    ):
        server.answers[path] = status
        assert call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig) == (2, "", f"dralign: {message}\n")

    def test_a_cluster_without_dra(self, monkeypatch, capsysbinary, kubeconfig, server):
        server.answers = {"/api/v1/nodes": server.answers["/api/v1/nodes"]}
        status, _, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig)
        assert status == 2
        assert err.endswith("serves no deviceclasses of resource.k8s.io; want Kubernetes 1.32 or later\n")

    def test_wrong_credentials(self, monkeypatch, capsysbinary, server, tmp_path):
        config = configured(tmp_path, f"http://127.0.0.1:{server.server_port}", "wrong")
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", config)
        assert (status, out, err) == (2, "", "dralign: /api/v1/nodes?limit=500: 401 Unauthorized\n")

    def test_nobody_answers(self, monkeypatch, capsysbinary, tmp_path):
        config = configured(tmp_path, "http://127.0.0.1:9", "x")
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", config)
        assert (status, out) == (2, "")
        assert err.startswith("dralign: http://127.0.0.1:9: no answer: ")
        assert len(err.splitlines()) == 1

    def test_no_kubeconfig(self, monkeypatch, capsysbinary, tmp_path):
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", str(tmp_path / "none"))
        assert (status, out) == (2, "")
        assert err.startswith("dralign: no cluster: ")
        assert err.endswith("; want --kubeconfig FILE\n")

    def test_without_the_client(self, monkeypatch, capsysbinary, kubeconfig):
        monkeypatch.setitem(__import__("sys").modules, "kubernetes", None)
        status, out, err = call(monkeypatch, capsysbinary, "--kubeconfig", kubeconfig)
        assert (status, out) == (2, "")
        assert err == "dralign: the Kubernetes client is not installed; pip install 'dralign[cluster]'\n"


CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: train, namespace: team}
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.nvidia.com
        selectors:
        - cel:
            expression: device.attributes["gpu.nvidia.com"].productName == "NVIDIA A30%s"
"""


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
class TestPresync:
    @pytest.fixture
    def presync(self, monkeypatch, capsysbinary, kubeconfig, tmp_path):
        monkeypatch.chdir(tmp_path)

        def ask(text, *arguments):
            (tmp_path / "claim.yaml").write_text(text)
            arguments = ("--kubeconfig", kubeconfig, "--format", "json", "claim.yaml", *arguments)
            status, out, err = call(monkeypatch, capsysbinary, *arguments, verb=("presync",))
            return status, json.loads(out) if out else None, err

        return ask

    def test_what_the_cluster_has_passes(self, presync):
        status, found, err = presync(CLAIM % "", "--no-kubelets")
        assert (status, found["findings"], err) == (0, [], "")
        assert found["kubeVersion"] == "1.36"

    def test_what_it_lacks_does_not(self, presync):
        status, found, _ = presync(CLAIM % "X", "--no-kubelets")
        assert status == 1
        assert [item["rule"] for item in found["findings"]] == ["cel-never-matches"]
        assert "none of 4 devices" in found["findings"][0]["message"]

    def test_kubelets_are_asked(self, presync):
        """A static CPU manager beside dra.cpu: both give CPUs away."""
        assert [item["rule"] for item in presync(CLAIM % "")[1]["findings"]] == ["kubelet-policy"]

    def test_a_release_that_was_written_counts(self, presync):
        _, found, _ = presync(CLAIM % "", "--kube-version", "1.35")
        assert found["kubeVersion"] == "1.35"

    @pytest.mark.parametrize(("minor", "wanted"), [("32", "1.32"), ("37", "1.37"), ("41", "1.37")])
    def test_the_release_is_that_of_the_cluster(self, presync, server, minor, wanted):
        server.answers["/version"]["minor"] = minor
        assert presync(CLAIM % "")[1]["kubeVersion"] == wanted

    def test_too_old(self, presync, server):
        server.answers["/version"].update(minor="31", gitVersion="v1.31.0")
        status, found, err = presync(CLAIM % "")
        assert (status, found) == (2, None)
        assert err.endswith(" runs v1.31.0; want Kubernetes 1.32 or later\n")
