const WIDTH = 720;
const MARGIN = 24;
const LABELS = 156;
const VALUES = 48;
const HEAD = 72;
const TITLE = 26;
const ROW = 24;
const BAR = 16;
const GAP = 14;

/**
 * The colours of GitHub's two themes. The page behind is drawn as well: a reader's theme there need not be the one
 * that the picture is told of.
 */
const STYLE = `
text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1f2328; }
.title { font-size: 15px; font-weight: 600; }
.group { font-weight: 600; }
.note { fill: #59636e; }
.value { font-variant-numeric: tabular-nums; }
.page { fill: #ffffff; stroke: #d1d9e0; }
.bar { fill: #afb8c1; }
.ours { fill: #0969da; }
text.ours { font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .note { fill: #9198a1; }
  .page { fill: #0d1117; stroke: #3d444d; }
  .bar { fill: #656c76; }
  .ours { fill: #4493f8; }
}
`;

/** A chart of horizontal bars in titled groups, all on one scale. */
export function chartSvg({ title, note, groups }) {
  const bars = groups.flatMap((group) => group.bars);
  const room = WIDTH - 2 * MARGIN - LABELS - VALUES;
  const scale = room / Math.max(...bars.map(({ value }) => value));
  const parts = [text(MARGIN, 32, title, "title"), text(MARGIN, 52, note, "note")];
  let y = HEAD;
  for (const group of groups) {
    parts.push(text(MARGIN, y + 16, group.title, "group"));
    y += TITLE;
    for (const bar of group.bars) {
      parts.push(drawBar(bar, y, scale));
      y += ROW;
    }
    y += GAP;
  }
  const height = y + MARGIN - GAP;
  const label = `role="img" aria-label="${escape(`${title}. ${note}`)}"`;
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  const page = `<rect class="page" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="6"/>`;
  const root = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}>`;
  return `${root}\n<style>${STYLE}</style>\n${page}\n${parts.join("\n")}\n</svg>\n`;
}

function drawBar({ name, value, isOurs }, y, scale) {
  const width = Number(Math.max(1, value * scale).toFixed(1));
  const x = MARGIN + LABELS;
  const baseline = y + BAR - 3;
  const place = `x="${x}" y="${y}" width="${width}" height="${BAR}" rx="2"`;
  return [
    text(MARGIN, baseline, name, isOurs ? "ours" : "name"),
    `<rect class="${isOurs ? "ours" : "bar"}" ${place}/>`,
    text(x + width + 8, baseline, value.toFixed(value < 100 ? 1 : 0), "value"),
  ].join("");
}

function text(x, y, content, style) {
  return `<text x="${x}" y="${y}" class="${style}">${escape(content)}</text>`;
}

function escape(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
