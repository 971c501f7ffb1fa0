import type { JsonObject } from '@/lib/base/json';

/** Adds `session_id` to the parameters of a delegation with `session: addressed`. */
export function withSessionId(schema: JsonObject): JsonObject {
  const { properties } = schema;
  const known = typeof properties === 'object' && properties !== null && !Array.isArray(properties) ? properties : {};
  const session_id: JsonObject = {
    type: 'string',
    description:
      'Leave it out to begin a new session. To continue one, copy the session_id from the answer that it began with',
  };
  return { ...schema, properties: { ...known, session_id } };
}
