import type { Json } from '@/lib/base/json';
import { err, ok, type Result } from '@/lib/base/result';
import { YamlDate } from './pyyaml';
import type { YamlEdit } from './yaml-edit';

/**
 * Returns the value of a document after an edit. It is compared with the value of the edited text, because the editor works
 * on text. The error is a sentence about an impossible edit (an entry that does not exist, a key of a string).
 */
export function expectedAfter(value: unknown, edit: YamlEdit): Result<unknown, string> {
  switch (edit.op) {
    case 'set':
      return at(value, edit.path, () => ok(edit.value));
    case 'remove':
      return edit.path.length === 0 ? ok({}) : removed(value, edit.path);
    case 'insert':
      return at(value, edit.path, (old) => inserted(old, edit.index, edit.value));
    case 'move':
      return at(value, edit.path, (old) => moved(old, edit.from, edit.to));
    case 'rename': {
      const last = edit.path.at(-1);
      return at(value, edit.path.slice(0, -1), (old) => renamed(old, String(last), edit.key));
    }
  }
}

/** Compares YAML values deeply, ignoring the order of keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (a instanceof YamlDate || b instanceof YamlDate) {
    return a instanceof YamlDate && b instanceof YamlDate && a.text === b.text;
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameValue(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return typeof a === 'number' && Number.isNaN(a) && Number.isNaN(b);
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key]))
  );
}

type Step = string | number;

function at(
  value: unknown,
  path: readonly Step[],
  change: (old: unknown) => Result<unknown, string>,
): Result<unknown, string> {
  const [step, ...rest] = path;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    if (typeof step !== 'number' || step < 0 || step > value.length) return err(`There is no entry ${step}.`);
    const inner = at(value[step], rest, change);
    return inner.ok ? ok([...value.slice(0, step), inner.value, ...value.slice(step + 1)]) : inner;
  }
  if (value !== null && value !== undefined && !isObject(value))
    return err(`'${step}' cannot be set inside a single value.`);
  if (typeof step === 'number' && !isObject(value)) {
    if (step !== 0) return err(`There is no entry ${step}.`);
    const inner = at(undefined, rest, change);
    return inner.ok ? ok([inner.value]) : inner;
  }
  const record = isObject(value) ? value : {};
  const key = String(step);
  const inner = at(Object.hasOwn(record, key) ? record[key] : undefined, rest, change);
  return inner.ok ? ok(withKey(record, key, inner.value)) : inner;
}

function removed(value: unknown, path: readonly Step[]): Result<unknown, string> {
  const [step, ...rest] = path;
  if (step === undefined) return ok(value);
  if (Array.isArray(value)) {
    if (typeof step !== 'number' || step >= value.length) return ok(value);
    if (rest.length === 0) return ok(value.filter((_, index) => index !== step));
    const inner = removed(value[step], rest);
    return inner.ok ? ok(value.map((item, index) => (index === step ? inner.value : item))) : inner;
  }
  if (!isObject(value) || !Object.hasOwn(value, String(step))) return ok(value);
  if (rest.length > 0) {
    const inner = removed(value[String(step)], rest);
    return inner.ok ? ok(withKey(value, String(step), inner.value)) : inner;
  }
  return ok(Object.fromEntries(Object.entries(value).filter(([key]) => key !== String(step))));
}

function inserted(old: unknown, index: number, value: Json): Result<unknown, string> {
  if (old === null || old === undefined) return ok([value]);
  if (isObject(old)) return err('This is a mapping, not a list.');
  const list: unknown[] = Array.isArray(old) ? old : [old];
  if (index < 0 || index > list.length) return err(`There is no index ${index} in a list of ${list.length}.`);
  return ok([...list.slice(0, index), value, ...list.slice(index)]);
}

function moved(old: unknown, from: number, to: number): Result<unknown, string> {
  if (!Array.isArray(old)) return err('This is not a list.');
  if (![from, to].every((index) => Number.isInteger(index) && index >= 0 && index < old.length)) {
    return err(`There is no entry ${from} or ${to} in a list of ${old.length}.`);
  }
  const list: unknown[] = [...old];
  list.splice(to, 0, ...list.splice(from, 1));
  return ok(list);
}

function renamed(old: unknown, from: string, to: string): Result<unknown, string> {
  if (!isObject(old) || !Object.hasOwn(old, from)) return err(`There is no key '${from}'.`);
  if (from !== to && Object.hasOwn(old, to)) return err(`There is a key '${to}' already.`);
  const entries = Object.entries(old).map(([key, value]): [string, unknown] => [key === from ? to : key, value]);
  return ok(Object.fromEntries(entries));
}

function withKey(record: Record<string, unknown>, key: string, value: unknown): Record<string, unknown> {
  const copy = Object.fromEntries(Object.entries(record));
  Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  return copy;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof YamlDate);
}
