const WIDTH = 720;
const LABELS = 150;
const VALUES = 60;
const ROW = 24;
const BAR = 16;
const HEAD = 32;

/** The colours of GitHub's two themes, so that the chart is at home on a page of either. */
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.title { font-weight: 600; }
.bar { fill: #8c959f; }
.ours { fill: #0969da; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .bar { fill: #6e7681; }
  .ours { fill: #4493f8; }
}
`;

/** A chart of horizontal bars in titled groups, all on one scale. */
export function chartSvg({ title, groups }) {
  const bars = groups.flatMap((group) => group.bars);
  const scale = (WIDTH - LABELS - VALUES) / Math.max(...bars.map(({ value }) => value));
  const parts = [text(0, 18, title, "title")];
  let y = HEAD;
  for (const group of groups) {
    parts.push(text(0, y + 18, group.title, "title"));
    y += HEAD;
    for (const bar of group.bars) {
      parts.push(drawBar(bar, y, scale));
      y += ROW;
    }
  }
  const size = `width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}"`;
  const label = `role="img" aria-label="${escape(title)}"`;
  const root = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${label}>`;
  return `${root}\n<style>${STYLE}</style>\n${parts.join("\n")}\n</svg>\n`;
}

function drawBar({ name, value, isOurs }, y, scale) {
  const width = Math.max(1, value * scale).toFixed(1);
  const place = `x="${LABELS}" y="${y}" width="${width}" height="${BAR}" rx="2"`;
  const rectangle = `<rect class="${isOurs ? "ours" : "bar"}" ${place}/>`;
  const baseline = y + BAR - 3;
  const valueX = LABELS + Number(width) + 6;
  return `${text(0, baseline, name)}${rectangle}${text(valueX, baseline, value.toFixed(0))}`;
}

function text(x, y, content, style) {
  const attribute = style ? ` class="${style}"` : "";
  return `<text x="${x}" y="${y}"${attribute}>${escape(content)}</text>`;
}

function escape(content) {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
