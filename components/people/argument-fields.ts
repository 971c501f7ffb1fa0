import { isRecord, type Json, type JsonObject, parseJson } from '@/lib/base/json';

/** A field of a form that is made from a JSON Schema and a value. */
export interface ArgumentFieldOf {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isRequired: boolean;
  /** True for a text, which is edited as it is. Everything else is edited as JSON. */
  readonly isText: boolean;
  /** `undefined` for a field that the value does not have. */
  readonly value: Json | undefined;
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
      value: own,
    };
  });
}

function hintOf(about: Readonly<Record<string, unknown>>): string | undefined {
  const choices = Array.isArray(about.enum)
    ? `One of ${about.enum.map((each) => JSON.stringify(each)).join(', ')}.`
    : '';
  const text = [typeof about.description === 'string' ? about.description : '', choices].filter(Boolean).join(' ');
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
  field: Pick<ArgumentFieldOf, 'name' | 'isText' | 'isRequired'>,
  text: string,
) {
  const { name, isText, isRequired } = field;
  if (text === '' && !isRequired) {
    const { [name]: _, ...rest } = value;
    return rest;
  }
  const read = isText ? text : parseJson(text);
  return read === undefined ? undefined : { ...value, [name]: read as Json };
}

/** Returns the names of the fields that differ. */
export function changedFields(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
}
