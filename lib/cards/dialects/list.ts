import { claudeCode } from './claude-code/claude-code';
import type { Dialect } from './form/dialect';

/** Every dialect. A new one is a folder beside this file and an entry here. */
export const dialects: readonly Dialect[] = [claudeCode];
