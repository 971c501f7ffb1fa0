import { z } from 'zod';
import { isJson, type Json } from './json';

/** The zod schema of a JSON value that keeps integers beyond 2^53 (`bigint`), which `z.json()` refuses. */
export const exactJsonValue = z.custom<Json>(isJson, {
  error: 'use text, a number, true, false, null, a list or a mapping',
});
