import type { Issue } from '@/lib/base/issue';
import type { AgentCard } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { HookPort, ToolPort } from '@/lib/runtime/ports';
import { codeOf, issueOf } from './card-code';
import { codeHooks } from './code-hooks';
import { createCodeLoader } from './code-loader';
import { functionTools } from './function-tools';
import { type CodeLimits, defaultLimits } from './host/limits';
import { createJsHost } from './js/js-host';
import { createPythonHost } from './python/python-host';
import type { PythonSetting } from './python/python-setting';

export interface CodeHostsInput {
  /** The files of the run. Python gets a copy of its own, so its writes do not change them. */
  readonly folder: Folder;
  readonly python: PythonSetting;
  readonly limits?: Partial<CodeLimits>;
}

/** Runs the code that the cards of a project name. Each run has its own. */
export interface CodeHosts {
  readonly tools: ToolPort;
  readonly hooks: HookPort;
  /** Returns the issues that `hooks.load` and `tools.list` would find from the text of the files alone. Nothing runs. */
  parse(card: AgentCard): Promise<readonly Issue[]>;
  /** Ends every thread and process and removes the files they wrote. */
  close(): Promise<void>;
}

/**
 * `.ts` and `.js` run in QuickJS, `.py` in Python processes. No thread or process starts before the first `load`, `list` or
 * call of a card that names code.
 */
export function createCodeHosts({ folder, python: setting, limits: given }: CodeHostsInput): CodeHosts {
  const limits = { ...defaultLimits, ...given };
  const js = createJsHost(folder, limits);
  const python = createPythonHost(folder, setting, limits);
  const loader = createCodeLoader(folder, { js, python });

  return {
    tools: functionTools(folder, loader),
    hooks: codeHooks(folder, loader),
    async parse(card) {
      const issues: Issue[] = [];
      for (const { ref, use } of codeOf(card)) {
        const issue = await loader.parse(ref, use);
        if (issue !== undefined) issues.push(issueOf(folder, card, ref, use, issue));
      }
      return issues;
    },
    async close() {
      js.close();
      await python.close();
    },
  };
}
