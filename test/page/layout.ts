// Runs in the page.

/** What a person sees at once: wider than the window, cut off, one over another, or covered. */
export function problems(): string[] {
  return [...sideways(), ...cutOff(), ...overlapping(), ...covered()];
}

const FIELDS = "input, select, textarea";
const CONTROLS = `${FIELDS}, button, summary`;
/** Rectangles of text are as high as the font, more than is inked. */
const TOLERANCE = 4;

function nameOf(element: Element): string {
  const text = start(element.textContent ?? "");
  return `<${element.localName}${element.id && `#${element.id}`}> "${text}"`;
}

function start(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 40);
}

function all(selector: string): HTMLElement[] {
  const found = [...document.querySelectorAll<HTMLElement>(selector)];
  return found.filter((element) => element.checkVisibility({ visibilityProperty: true }));
}

interface Piece {
  element: Element;
  text: string;
  rect: DOMRect;
}

/** Each line of each text. */
function pieces(): Piece[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Piece[] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const element = node.parentElement as HTMLElement;
    const text = node.data.trim();
    if (text === "" || !element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) found.push({ element, text, rect });
  }
  return found;
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = element; at && at !== document.body; at = at.parentElement)
    found.push(at);
  return found;
}

function sideways(): string[] {
  const wide = [document.documentElement, ...all("body *:not(input)")].filter((element) => {
    const canScroll =
      element === document.documentElement ||
      ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
    return canScroll && element.scrollWidth > element.clientWidth + 1;
  });
  return wide.map(
    (element) => `${nameOf(element)} is ${element.scrollWidth} wide in ${element.clientWidth}`,
  );
}

/** Text that is past the edge of its box, or of one that hides what is past its own. */
function cutOff(): string[] {
  const isOut = (rect: DOMRect, box: DOMRect) =>
    rect.left < box.left - 1 ||
    rect.right > box.right + 1 ||
    rect.top < box.top - TOLERANCE ||
    rect.bottom > box.bottom + TOLERANCE;
  return pieces().flatMap(({ element, text, rect }) => {
    const boxes = ancestors(element).filter((one) => getComputedStyle(one).display !== "inline");
    // What is past the edge of one that scrolls can be scrolled to.
    const end = boxes.findIndex(isScroller);
    const edge = boxes
      .slice(0, end < 0 ? boxes.length : end)
      .find((box, i) => (i === 0 || isClipping(box)) && isOut(rect, box.getBoundingClientRect()));
    return edge ? [`"${start(text)}" is cut off by ${nameOf(edge)}`] : [];
  });
}

function isClipping(element: Element): boolean {
  return ["hidden", "clip"].includes(getComputedStyle(element).overflowX);
}

function isScroller(element: Element): boolean {
  return ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
}

/** A text's part that can be seen now. */
function seen({ element, rect }: Piece): DOMRect | undefined {
  const middle = rect.height / 4;
  const box = {
    left: rect.left,
    right: rect.right,
    top: rect.top + middle,
    bottom: rect.bottom - middle,
  };
  for (const scroller of ancestors(element).filter(isScroller)) {
    const { top, bottom } = scroller.getBoundingClientRect();
    box.top = Math.max(box.top, top);
    box.bottom = Math.min(box.bottom, bottom);
  }
  if (box.bottom <= box.top) return undefined;
  return new DOMRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
}

/** Text over other text, a field or a picture. */
function overlapping(): string[] {
  const texts = pieces().flatMap((piece) => {
    const rect = seen(piece);
    return rect ? [{ ...piece, rect }] : [];
  });
  const others = all(`${FIELDS}, svg`).map((element) => {
    return {
      element: element as Element,
      text: nameOf(element),
      rect: element.getBoundingClientRect(),
    };
  });
  return texts.flatMap((one, i) =>
    [...texts.slice(i + 1), ...others]
      .filter(({ element, rect }) => !element.contains(one.element) && meet(one.rect, rect))
      .map(({ text }) => `"${start(one.text)}" lies over "${start(text)}"`),
  );
}

function meet(one: DOMRect, other: DOMRect): boolean {
  return (
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1
  );
}

/** Controls that a pointer doesn't reach over all their extent. */
function covered(): string[] {
  return all(CONTROLS).flatMap((control) => {
    control.scrollIntoView({ block: "center" });
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const inset = 4;
    const points = [
      [(left + right) / 2, (top + bottom) / 2],
      [left + inset, top + inset],
      [right - inset, bottom - inset],
    ] as const;
    const over = points
      .map(([x, y]) => document.elementFromPoint(x, y))
      .find((hit) => !control.contains(hit) && !isLabelOf(hit, control));
    return over === undefined
      ? []
      : [`${nameOf(control)} is covered by ${over ? nameOf(over) : "the window's edge"}`];
  });
}

function isLabelOf(hit: Element | null, control: HTMLElement): boolean {
  const labels = "labels" in control ? (control.labels as NodeListOf<HTMLElement> | null) : null;
  return [...(labels ?? [])].some((label) => label.contains(hit));
}
