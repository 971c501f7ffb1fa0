import { claudeCode } from './claude-code/claude-code';
import type { Dialect } from './form/dialect';
import { vscode } from './vscode/vscode';

/** Every dialect. A new one is a folder beside this file and an entry here. Of two in one folder, the first here is read. */
export const dialects: readonly Dialect[] = [claudeCode, vscode];
