import { findLargeInteger } from '@/lib/base/exact-json';
import type { Issue } from '@/lib/base/issue';
import { withoutOptionalNulls } from '@/lib/base/optional-nulls';
import type { CodeRef } from '@/lib/cards/card';
import type { Folder } from '@/lib/cards/folder';
import type { LogBody, ToolDescriptor, ToolPort } from '@/lib/runtime/ports';
import { issueOf, refOf } from './card-code';
import type { CodeLoader } from './code-loader';
import type { SandboxCall } from './host/protocol';
import { writeState } from './state-writes';
import { failureResult, toToolResult } from './tool-result';

/** Lists and calls the function tools of a project's cards. */
export function functionTools(folder: Folder, loader: CodeLoader): ToolPort {
  return {
    async list(card, signal) {
      const listed: ToolDescriptor[] = [];
      const issues: Issue[] = [];
      for (const spec of card.functionTools) {
        const loaded = await loader.load(refOf(spec), 'tool', signal);
        if (!loaded.ok) {
          issues.push(issueOf(folder, card, refOf(spec), 'tool', loaded.issue));
          continue;
        }
        listed.push({
          name: spec.functionName,
          description: loaded.description,
          inputSchema: loaded.inputSchema,
          source: 'function',
          remoteName: `${spec.file}:${spec.functionName}`,
        });
      }
      return { tools: listed, issues };
    },
    async call(tool, args, context) {
      const spec = tool.remoteName ?? tool.name;
      const at = spec.lastIndexOf(':');
      const ref: CodeRef = { spec, file: spec.slice(0, at), functionName: spec.slice(at + 1) };
      const loaded = await loader.load(ref, 'tool', context.signal);
      if (!loaded.ok) return failureResult(spec, { code: 'load', message: loaded.issue.message });
      const given = withoutOptionalNulls(loaded.inputSchema, args);
      const problem = loaded.problemOf(given);
      if (problem !== undefined) return failureResult(spec, { code: 'arguments', message: problem });
      const { file, functionName } = ref;
      const large = file.endsWith('.py') ? undefined : findLargeInteger(given);
      if (large !== undefined) context.log(rounded(spec, large));
      const call: SandboxCall = {
        kind: 'tool',
        file,
        functionName,
        args: given,
        ...(loaded.names && { names: loaded.names }),
      };
      const outcome = await loader.run(ref, call, { signal: context.signal, log: context.log });
      if (!outcome.ok) return failureResult(spec, outcome.failure);
      const result = toToolResult(outcome.value);
      return result.isError ? result : (writeState(outcome.value, context.state) ?? result);
    },
    version: () => 1,
  };
}

function rounded(spec: string, integer: bigint): LogBody {
  const message = `${spec} gets ${Number(integer)} for ${integer}: JavaScript cannot hold integers beyond 2^53. Pass such a number as text, or write the function in Python.`;
  return { level: 'warning', code: 'integer_rounded', message };
}
