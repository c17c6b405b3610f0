import { NOWHERE } from "./fill.ts";
import type { NamePattern, Place, Shape, Slot } from "./fill.ts";

/** What is to be filled where, as JSON. Places and shapes are named by their position; the whole input's place is 0. */
export interface FillData {
  /** The shapes of each place. */
  places: readonly (readonly number[])[];
  shapes: readonly ShapeData[];
}

interface ShapeData {
  /** Name, place, and the default in an array of its own, where there is one. */
  slots: readonly (readonly [name: string, place: number, ...fallback: unknown[]])[];
  patterns: readonly (readonly [source: string, place: number])[];
  otherMembers: number;
  items: readonly number[];
  otherItems: number;
}

const NO_PLACE = -1;

/** Numbers things in the order in which they are first met. */
class Numbering<T> {
  readonly all: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) {
      number = this.all.push(thing) - 1;
      this.#numbers.set(thing, number);
    }
    return number;
  }
}

export function encodeFill(start: Place): FillData {
  const places = new Numbering<Place>();
  const shapes = new Numbering<Shape>();
  // Where nothing is filled, a fill doesn't even look.
  const placeOf = (place: Place): number => (place.fills ? places.of(place) : NO_PLACE);
  places.of(start);
  const shapesOfPlaces: number[][] = [];
  const shapeData: ShapeData[] = [];
  // Both lists grow while they are gone through.
  while (shapesOfPlaces.length < places.all.length || shapeData.length < shapes.all.length) {
    const place = places.all[shapesOfPlaces.length];
    if (place) shapesOfPlaces.push(place.shapes.map((shape) => shapes.of(shape)));
    const shape = shapes.all[shapeData.length];
    if (shape) shapeData.push(encodeShape(shape, placeOf));
  }
  return { places: shapesOfPlaces, shapes: shapeData };
}

function encodeShape(shape: Shape, placeOf: (place: Place) => number): ShapeData {
  return {
    slots: [...shape.slots.values()].map(({ name, place, fallback }) => [
      name,
      placeOf(place),
      ...(fallback ? [fallback.value] : []),
    ]),
    patterns: shape.patterns.map(({ pattern, place }) => [pattern.source, placeOf(place)]),
    otherMembers: placeOf(shape.otherMembers),
    items: shape.items.map(placeOf),
    otherItems: placeOf(shape.otherItems),
  };
}

/** The place of the whole input, as {@link encodeFill} was given it. */
export function decodeFill(
  { places, shapes }: FillData,
  patternOf: (source: string) => NamePattern,
): Place {
  const decodedPlaces = places.map((): Place => ({ shapes: [], fills: true }));
  const placeAt = (number: number): Place => decodedPlaces[number] ?? NOWHERE;
  const decodedShapes = shapes.map((shape): Shape => ({
    slots: new Map(
      shape.slots.map(([name, place, ...fallback]): [string, Slot] => [
        name,
        {
          name,
          place: placeAt(place),
          fallback: fallback.length > 0 ? { value: fallback[0] } : undefined,
        },
      ]),
    ),
    patterns: shape.patterns.map(([source, place]) => ({
      pattern: patternOf(source),
      place: placeAt(place),
    })),
    otherMembers: placeAt(shape.otherMembers),
    items: shape.items.map(placeAt),
    otherItems: placeAt(shape.otherItems),
  }));
  for (const [i, place] of decodedPlaces.entries()) {
    place.shapes = places[i]!.map((shape) => decodedShapes[shape]!);
  }
  return decodedPlaces[0]!;
}
