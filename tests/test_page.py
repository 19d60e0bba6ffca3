"""The page of a simulation: whole in itself, safe whatever things are called, and as it should be in a browser."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from test_simulate import CPUS, GPU, H100, LOOSE, TIED, deployment, manifests, simulated, template

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
HOSTILE = "</title><script>alert(1)</script><b onload='x' \"&\u202e\x1b[31m\u00e9"
TAGS = frozenset(
    [
        "html",
        "meta",
        "title",
        "style",
        "h1",
        "h2",
        "p",
        "span",
        "section",
        "figure",
        "figcaption",
        "svg",
        "g",
        "rect",
        "text",
        "path",
        "dl",
        "dt",
        "dd",
    ]
)


class Reader(HTMLParser):
    """Notes tags, attributes and the text outside of the style sheet."""

    def __init__(self):
        super().__init__()
        self.tags = []
        self.attributes = []
        self.texts = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.texts.append(data)


def page(data, *arguments, status=0, cwd=None):
    return simulated(data, *arguments, "--format", "html", status=status, cwd=cwd)


def read(text):
    reader = Reader()
    reader.feed(text)
    return reader


class TestPage:
    def test_it_is_whole_in_itself(self, tmp_path):
        text = page(LOOSE, *H100, cwd=tmp_path)
        reader = read(text)
        assert set(reader.tags) <= TAGS
        assert not re.search(r"https?:|url\(|@import|\bsrc=|\bhref=|<script", text)
        assert text.count("<svg ") == 1
        assert "prefers-color-scheme: dark" in text

    def test_what_crosses_is_said_and_not_only_red(self, tmp_path):
        text = page(LOOSE, *H100, cwd=tmp_path)
        assert text.count('<path class="cross"') == 1
        assert '<text x="480.0" y="18.0" class="cross" text-anchor="middle">crossed: GPU on 0, CPUs on 1</text>' in text
        assert 'aria-label="node dgx-h100-0, crossed: GPU on 0, CPUs on 1"' in text
        assert ">MAY CROSS</span>" in text
        assert '<path class="cross"' not in page(TIED, *H100, cwd=tmp_path)

    def test_it_says_what_the_text_says(self, tmp_path):
        text = simulated(LOOSE, *H100, cwd=tmp_path)
        words = "".join(read(page(LOOSE, *H100, cwd=tmp_path)).texts)
        for line in text.splitlines()[14:-2]:
            assert line[9:] in words

    def test_names_are_text_whatever_they_are(self, tmp_path):
        device = {"name": HOSTILE, "attributes": {"resource.kubernetes.io/pcieRoot": {"string": HOSTILE}}}
        slices = {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "s"},
            "spec": {
                "driver": "gpu.nvidia.com",
                "nodeName": HOSTILE,
                "pool": {"name": HOSTILE, "generation": 1, "resourceSliceCount": 1},
                "devices": [device],
            },
        }
        (tmp_path / "slices.json").write_text(json.dumps(slices))
        pod = deployment("llama", name=HOSTILE)
        pod["spec"]["template"]["spec"]["containers"][0]["name"] = HOSTILE
        for form in ("html", "text", "json"):
            arguments = ("--inventory", "slices.json", "--format", form)
            simulated(manifests(template(GPU), pod), *arguments, cwd=tmp_path)
        text = page(manifests(template(GPU), pod), "--inventory", "slices.json", cwd=tmp_path)
        reader = read(text)
        assert set(reader.tags) <= TAGS
        assert not [name for name, _ in reader.attributes if name.startswith("on")]
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "<script>alert(1)" in "".join(reader.texts)

    def test_replayed_cases_have_a_page_too(self, tmp_path):
        (tmp_path / "case.json").write_text(simulated(LOOSE, *H100, "--format", "json", cwd=tmp_path))
        assert ">REPRODUCES</span>" in page(LOOSE, *H100, "--replay", "case.json", cwd=tmp_path)


MEASURE = """
<script>
const wrong = [];
for (const svg of document.querySelectorAll('svg')) {
  const frame = svg.viewBox.baseVal;
  for (const one of svg.querySelectorAll('text, rect')) {
    const box = one.getBBox();
    const out = box.x < frame.x || box.y < frame.y ||
      box.x + box.width > frame.x + frame.width || box.y + box.height > frame.y + frame.height;
    if (out) wrong.push('outside: ' + one.textContent);
  }
  const boxes = [...svg.querySelectorAll('text')].map(one => [one, one.getBBox()]);
  for (const [one, a] of boxes) for (const [other, b] of boxes)
    if (one !== other && a.x < b.x + b.width - 1 && b.x < a.x + a.width - 1 &&
        a.y < b.y + b.height - 3 && b.y < a.y + a.height - 3)
      wrong.push('over each other: ' + one.firstChild.data + ' / ' + other.firstChild.data);
}
if (document.documentElement.scrollWidth > innerWidth) wrong.push('wider than the window');
const path = document.querySelector('path.cross');
const line = path ? getComputedStyle(path).stroke : 'none';
document.body.innerHTML = '';
document.title = JSON.stringify({wrong: wrong, line: line, paper: getComputedStyle(document.body).backgroundColor});
</script>
"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium to look at pages with")
class TestInABrowser:
    def looked_at(self, folder, text, *, dark=False, width=1100):
        """Return what a browser says of a page: what is out of place, the colour of the line, that of the page."""
        (folder / "page.html").write_text(text.replace("</html>", MEASURE + "</html>"))
        scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", scheme, f"--window-size={width},1000"]
        profile = f"--user-data-dir={folder / 'profile'}"
        process = subprocess.run(
            [*command, profile, "--dump-dom", (folder / "page.html").as_uri()],
            capture_output=True,
            check=True,
            timeout=120,
        )
        return json.loads(re.search(r"<title>(.*?)</title>", process.stdout.decode()).group(1))

    @pytest.mark.parametrize("preset", ["dgx-h100", "dgx-a100:mig=dynamic", "gb200-nvl72", "p5-48xlarge", "mi300x"])
    def test_nothing_is_out_of_place(self, tmp_path, preset):
        gpu = {"name": "gpu", "exactly": {"deviceClassName": "gpu.amd.com" if preset == "mi300x" else "gpu.nvidia.com"}}
        if "mig" in preset:
            gpu["exactly"]["deviceClassName"] = "mig.nvidia.com"
        text = page(manifests(template(gpu, CPUS), deployment("llama")), "--preset", preset, cwd=tmp_path)
        assert "<svg " in text
        assert self.looked_at(tmp_path, text)["wrong"] == []

    def test_what_is_out_of_place_is_found(self, tmp_path):
        text = page(LOOSE, *H100, cwd=tmp_path).replace('viewBox="-2 0 964', 'viewBox="-2 0 300')
        wrong = self.looked_at(tmp_path, text)["wrong"]
        assert "outside: gpu-4 .gpu.nvidia.com/dgx-h100-0/gpu-4" in wrong

    def test_light_and_dark(self, tmp_path):
        text = page(LOOSE, *H100, cwd=tmp_path)
        light, dark = (self.looked_at(tmp_path, text, dark=dark) for dark in (False, True))
        assert (light["line"], light["paper"]) == ("rgb(196, 22, 28)", "rgb(255, 255, 255)")
        assert (dark["line"], dark["paper"]) == ("rgb(255, 123, 114)", "rgb(20, 23, 26)")

    def test_a_small_window(self, tmp_path):
        assert self.looked_at(tmp_path, page(LOOSE, *H100, cwd=tmp_path), width=500)["wrong"] == []
