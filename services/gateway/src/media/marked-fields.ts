import type { TSchema } from 'typebox';

/** A field of a body that a contract has marked. */
export interface MarkedField<T> {
  /** Names of fields from the body on; `undefined` stands for each item of a list. */
  readonly path: readonly (string | undefined)[];
  /** Several where the field is in several members of a union. */
  readonly marks: readonly T[];
}

type Node = TSchema & Partial<Record<'properties', Record<string, TSchema>> & Record<'items', TSchema>> & Branches;
type Branches = Partial<Record<'anyOf' | 'oneOf' | 'allOf', readonly TSchema[]>>;

/** All such fields of a body's schema. @param markOf undefined for a field without the mark */
export function markedFields<T>(
  schema: TSchema | undefined,
  markOf: (schema: TSchema) => T | undefined,
): readonly MarkedField<T>[] {
  const found = new Map<string, { path: MarkedField<T>['path']; marks: Set<T> }>();
  const walk = (node: Node, path: MarkedField<T>['path']): void => {
    const mark = markOf(node);
    if (mark !== undefined) {
      const name = JSON.stringify(path.map((step) => step ?? null));
      const known = found.get(name) ?? { path, marks: new Set() };
      known.marks.add(mark);
      found.set(name, known);
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) walk(child, [...path, name]);
    if (node.items !== undefined) walk(node.items, [...path, undefined]);
    for (const branch of [node.anyOf, node.oneOf, node.allOf]) {
      for (const child of branch ?? []) walk(child, path);
    }
  };
  if (schema !== undefined) walk(schema, []);
  return [...found.values()].map(({ path, marks }) => ({ path, marks: [...marks] }));
}

/** A text in a marked field of one body. */
export interface MarkedText<T> {
  /** For example `body.messages[2].base64`. */
  readonly where: string;
  readonly marks: readonly T[];
  readonly text: string;
  /** Fields that stand beside it. */
  readonly beside: Readonly<Record<string, unknown>>;
  replace(value: string): void;
}

/** The texts of a body in such fields. Replacing changes the body. */
export function markedTexts<T>(body: unknown, fields: readonly MarkedField<T>[]): readonly MarkedText<T>[] {
  return fields.flatMap(({ path, marks }) => textsAt(body, path, 'body').map((text) => ({ ...text, marks })));
}

function textsAt(node: unknown, path: MarkedField<unknown>['path'], where: string): Omit<MarkedText<never>, 'marks'>[] {
  if (typeof node !== 'object' || node === null) return [];
  const [step, ...rest] = path;
  if (step === undefined) {
    return Array.isArray(node) ? node.flatMap((item, index) => textsAt(item, rest, `${where}[${index}]`)) : [];
  }
  const holder = node as Record<string, unknown>;
  const value = holder[step];
  if (rest.length > 0) return textsAt(value, rest, `${where}.${step}`);
  if (typeof value !== 'string') return [];
  return [{ where: `${where}.${step}`, text: value, beside: holder, replace: (by) => void (holder[step] = by) }];
}
