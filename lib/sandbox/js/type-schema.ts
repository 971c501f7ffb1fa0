import { parseExpression } from '@babel/parser';
import type * as t from '@babel/types';
import type { Json, JsonObject } from '@/lib/base/json';
import { readDocBlock } from './jsdoc';
import { fieldSchema, keysSchema, mappedSchema, mergeObjects } from './mapped-types';
import { docOf, type TypeText } from './module';

/** Finds a named type in the same file, or in the file it is imported from. */
export type FindType = (name: string) => { readonly type: TypeText; readonly find: FindType } | undefined;

const anything: JsonObject = {};
const maxDepth = 12;

/**
 * Returns the JSON schema of a TypeScript type. Types without a JSON form (functions, generics) become `{}`, which accepts
 * anything.
 */
export function schemaOfType(node: t.Node, find: FindType, depth = 0): JsonObject {
  if (depth > maxDepth) return anything;
  const deeper = (inner: t.Node) => schemaOfType(inner, find, depth + 1);
  switch (node.type) {
    case 'TSTypeAnnotation':
    case 'TSParenthesizedType':
      return schemaOfType(node.typeAnnotation, find, depth);
    case 'TSTypeOperator':
      if (node.operator === 'readonly') return schemaOfType(node.typeAnnotation, find, depth);
      return node.operator === 'keyof' ? keysSchema(deeper(node.typeAnnotation)) : anything;
    case 'TSIndexedAccessType':
      return fieldSchema(deeper(node.objectType), deeper(node.indexType));
    case 'TSStringKeyword':
    case 'TSTemplateLiteralType':
      return { type: 'string' };
    case 'TSNumberKeyword':
      return { type: 'number' };
    case 'TSBooleanKeyword':
      return { type: 'boolean' };
    case 'TSNullKeyword':
      return { type: 'null' };
    case 'TSObjectKeyword':
      return { type: 'object' };
    case 'TSLiteralType':
      return schemaOfLiteral(node.literal);
    case 'TSArrayType':
      return { type: 'array', items: deeper(node.elementType) };
    case 'TSTupleType':
      return tupleSchema(node.elementTypes, deeper);
    case 'TSUnionType':
      return unionSchema(node.types.filter((type) => type.type !== 'TSUndefinedKeyword').map(deeper));
    case 'TSIntersectionType':
      return mergeObjects(node.types.map(deeper));
    case 'TSTypeLiteral':
      return objectSchema(node.members, find, depth);
    case 'TSTypeReference':
      return schemaOfReference(node, find, depth);
    default:
      return anything;
  }
}

function schemaOfReference(node: t.TSTypeReference, find: FindType, depth: number): JsonObject {
  if (node.typeName.type !== 'Identifier') return anything;
  const { name } = node.typeName;
  const [first, second] = node.typeParameters?.params ?? [];
  const known = find(name);
  if (known !== undefined) {
    const others: FindType = (wanted) => (wanted === name ? undefined : known.find(wanted));
    return described(schemaOfDeclaration(known.type, others, depth + 1), known.type.doc);
  }
  switch (name) {
    case 'Array':
    case 'ReadonlyArray':
    case 'Set':
      return { type: 'array', ...(first && { items: schemaOfType(first, find, depth + 1) }) };
    case 'Record':
    case 'Readonly':
    case 'NonNullable':
    case 'Partial':
    case 'Required':
    case 'Pick':
    case 'Omit': {
      if (first === undefined) return anything;
      const parts = [first, second].map((part) => (part ? schemaOfType(part, find, depth + 1) : anything));
      return mappedSchema(name, parts[0] ?? anything, parts[1] ?? anything);
    }
    case 'String':
    case 'Number':
    case 'Boolean':
      return { type: name.toLowerCase() };
    case 'Object':
      return { type: 'object' };
    case 'Date':
      return { type: 'string' };
    default:
      return anything;
  }
}

function schemaOfDeclaration({ node }: TypeText, find: FindType, depth: number): JsonObject {
  switch (node.type) {
    case 'TSInterfaceDeclaration': {
      const own = objectSchema(node.body.body, find, depth);
      const parents = (node.extends ?? []).flatMap((parent) =>
        parent.expression.type === 'Identifier' ? (find(parent.expression.name) ?? []) : [],
      );
      const known = parents.map((parent) => schemaOfDeclaration(parent.type, parent.find, depth + 1));
      // The fields of a parent that was not found are unknown.
      const isOpen = parents.length < (node.extends?.length ?? 0);
      return mergeObjects([...known, own, ...(isOpen ? [anything] : [])]);
    }
    case 'TSTypeAliasDeclaration':
      return schemaOfType(node.typeAnnotation, find, depth);
    case 'TSEnumDeclaration': {
      const members = node.members ?? node.body?.members ?? [];
      return {
        enum: members.map((member, index) =>
          member.initializer?.type === 'StringLiteral' || member.initializer?.type === 'NumericLiteral'
            ? member.initializer.value
            : index,
        ),
      };
    }
  }
}

function objectSchema(members: readonly t.TSTypeElement[], find: FindType, depth: number): JsonObject {
  const properties: Record<string, Json> = {};
  const required: string[] = [];
  let rest: JsonObject | undefined;
  for (const member of members) {
    if (member.type === 'TSIndexSignature' && member.typeAnnotation) {
      rest = schemaOfType(member.typeAnnotation, find, depth + 1);
    }
    if (member.type !== 'TSPropertySignature') continue;
    const name = keyName(member.key);
    if (name === undefined) continue;
    const type = member.typeAnnotation ? schemaOfType(member.typeAnnotation, find, depth + 1) : anything;
    properties[name] = described(type, docOf(member));
    if (!member.optional) required.push(name);
  }
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
}

export function keyName(key: t.Node): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'StringLiteral' ? key.value : undefined;
}

function schemaOfLiteral(literal: t.TSLiteralType['literal']): JsonObject {
  if (literal.type === 'TemplateLiteral') return { type: 'string' };
  const value = literalValue(literal);
  return value === undefined ? anything : { const: value };
}

/** Returns the value of an expression made of literals, or `undefined` for any other. */
export function literalValue(node: t.Node): Json | undefined {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node.value;
    case 'NullLiteral':
      return null;
    case 'UnaryExpression':
      return node.operator === '-' && node.argument.type === 'NumericLiteral' ? -node.argument.value : undefined;
    case 'ArrayExpression': {
      const values = node.elements.map((element) => (element ? literalValue(element) : undefined));
      return values.every((value) => value !== undefined) ? values : undefined;
    }
    case 'ObjectExpression':
      return node.properties.length === 0 ? {} : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the schema of `[A, b?: B, ...C[]]`. Optional items do not count towards the minimum, and a rest item removes the
 * maximum.
 */
function tupleSchema(
  elements: readonly (t.TSType | t.TSNamedTupleMember)[],
  schemaOf: (node: t.Node) => JsonObject,
): JsonObject {
  const prefixItems: JsonObject[] = [];
  let minItems = 0;
  for (const element of elements) {
    const named = element.type === 'TSNamedTupleMember' ? element : undefined;
    const type = named?.elementType ?? element;
    if (type.type === 'TSRestType') {
      const { items } = schemaOf(type.typeAnnotation);
      return { type: 'array', prefixItems, minItems, ...(items !== undefined && { items }) };
    }
    const isOptional = named?.optional === true || type.type === 'TSOptionalType';
    prefixItems.push(schemaOf(type.type === 'TSOptionalType' ? type.typeAnnotation : type));
    if (!isOptional) minItems = prefixItems.length;
  }
  return { type: 'array', prefixItems, minItems, maxItems: prefixItems.length };
}

function unionSchema(types: JsonObject[]): JsonObject {
  const [only] = types;
  if (types.length === 1 && only !== undefined) return only;
  if (types.some((type) => Object.keys(type).length === 0)) return anything;
  if (types.every((type) => type.const !== undefined)) {
    const values = types.flatMap((type) => (type.const === undefined ? [] : [type.const]));
    const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
    const [kind = ''] = kinds;
    return kinds.size === 1 && kind !== 'object' ? { type: kind, enum: values } : { enum: values };
  }
  return { anyOf: types };
}

/** Adds the first paragraph of a comment as the description. */
export function described(schema: JsonObject, doc: string | undefined): JsonObject {
  const description = doc === undefined ? '' : readDocBlock(doc).description;
  return description === '' ? schema : { ...schema, description };
}

/** Returns a JSDoc type (`string[]`, `?number`, `{a: string}`, `"x"|"y"`, `*`) as JSON schema. */
export function schemaOfDocType(text: string, find: FindType): JsonObject {
  const nullable = text.startsWith('?');
  const plain = text
    .replace(/^[?!]/, '')
    .replaceAll(/\bobject\b/gi, 'object')
    .replaceAll(/\bArray\.</g, 'Array<')
    .replaceAll(/\bObject\.</gi, 'Record<');
  if (plain === '' || plain === '*') return anything;
  try {
    const node = parseExpression(`null as (${plain})`, { plugins: ['typescript'] });
    const schema = node.type === 'TSAsExpression' ? schemaOfType(node.typeAnnotation, find) : anything;
    return nullable ? unionSchema([schema, { type: 'null' }]) : schema;
  } catch {
    return anything;
  }
}
