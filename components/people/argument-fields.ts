import { isNumberSchema, parseWithDigits } from '@/lib/base/exact-json';
import { isRecord, type Json, type JsonObject } from '@/lib/base/json';

/** A field of a form that is made from a JSON Schema and a value. */
export interface ArgumentFieldOf {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isRequired: boolean;
  /** True for a text, which is edited as it is. Everything else is edited as JSON. */
  readonly isText: boolean;
  /** True if the schema has a number. A large integer is a text all the same, because browsers cannot hold it. */
  readonly isNumber: boolean;
  /** `undefined` for a field that the value does not have. */
  readonly value: Json | undefined;
  /** What can be chosen, for a field with an enumeration, or for yes and no. */
  readonly choices: readonly Choice[] | undefined;
  /** True if several of the choices can be taken. */
  readonly isList: boolean;
}

export interface Choice {
  readonly value: Json;
  readonly label: string;
}

/** Returns the fields of the schema in its order, then those that only the value has. */
export function argumentFields(form: JsonObject | undefined, value: JsonObject): readonly ArgumentFieldOf[] {
  const properties = isRecord(form?.properties) ? form.properties : {};
  const required = Array.isArray(form?.required) ? form.required : [];
  const names = [...Object.keys(properties), ...Object.keys(value).filter((name) => !Object.hasOwn(properties, name))];
  return names.map((name) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const about = isRecord(schema) ? schema : {};
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    return {
      name,
      label: typeof about.title === 'string' ? about.title : name,
      hint: hintOf(about),
      isRequired: required.includes(name),
      isText: own === undefined ? about.type === 'string' : typeof own === 'string',
      isNumber: isNumberSchema(schema, form),
      value: own,
      choices: choicesOf(about.type === 'array' && isRecord(about.items) ? about.items : about),
      isList: about.type === 'array',
    };
  });
}

/** Enumerations are written in several ways: `enum`, with `enumNames` beside it, or one `const` with a `title` for each. */
function choicesOf(about: Readonly<Record<string, unknown>>): readonly Choice[] | undefined {
  if (about.type === 'boolean') {
    return [
      { value: true, label: 'Yes' },
      { value: false, label: 'No' },
    ];
  }
  const titled = Array.isArray(about.oneOf) ? about.oneOf : Array.isArray(about.anyOf) ? about.anyOf : undefined;
  if (titled?.every((one): one is Record<string, unknown> => isRecord(one) && one.const !== undefined)) {
    return titled.map((one) => choice(one.const as Json, one.title));
  }
  if (!Array.isArray(about.enum) || about.enum.length === 0) return undefined;
  const names = Array.isArray(about.enumNames) ? about.enumNames : [];
  return about.enum.map((value: Json, index) => choice(value, names[index]));
}

function choice(value: Json, title: unknown): Choice {
  return {
    value,
    label: typeof title === 'string' ? title : typeof value === 'string' ? value : JSON.stringify(value),
  };
}

const formats: Readonly<Record<string, string>> = {
  email: 'An e-mail address.',
  uri: 'An address that begins with https://.',
  date: 'A date such as 2026-11-23.',
  'date-time': 'A date and time such as 2026-11-23T09:30:00Z.',
};

function hintOf(about: Readonly<Record<string, unknown>>): string | undefined {
  const { description, format, minimum, maximum } = about;
  const least = typeof minimum === 'number' ? `At least ${minimum}.` : '';
  const most = typeof maximum === 'number' ? `At most ${maximum}.` : '';
  const form = typeof format === 'string' ? (formats[format] ?? '') : '';
  const text = [typeof description === 'string' ? description : '', form, least, most].filter(Boolean).join(' ');
  return text === '' ? undefined : text;
}

/** Returns the object with which an empty form begins: texts that must be there, and defaults. */
export function blankOf(form: JsonObject | undefined): JsonObject {
  return Object.fromEntries(
    argumentFields(form, {}).flatMap(({ name, isText, isRequired }) => {
      const properties = isRecord(form?.properties) ? form.properties : {};
      const about = properties[name];
      if (isRecord(about) && about.default !== undefined) return [[name, about.default as Json]];
      return isText && isRequired ? [[name, '']] : [];
    }),
  );
}

/** Returns the value without a field, or with its new text; `undefined` while the text of a field that is no text is not JSON. */
export function withField(
  value: JsonObject,
  field: Pick<ArgumentFieldOf, 'name' | 'isText' | 'isNumber' | 'isRequired'>,
  text: string,
) {
  const { name, isText, isNumber, isRequired } = field;
  if (text === '' && !isRequired) {
    const { [name]: _, ...rest } = value;
    return rest;
  }
  const parsed = isText && !isNumber ? text : parseWithDigits(text);
  const read = isText ? (parsed ?? text) : parsed;
  return read === undefined ? undefined : { ...value, [name]: read as Json };
}

/** Returns the value with another value of a field, or without the field. */
export function withChoice(value: JsonObject, name: string, chosen: Json | undefined): JsonObject {
  const { [name]: _, ...rest } = value;
  return chosen === undefined ? rest : { ...value, [name]: chosen };
}

/** Returns the names of the fields that differ. */
export function changedFields(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
