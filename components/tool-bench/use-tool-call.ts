'use client';

import { useMemo, useState } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { useServers } from '@/components/editor-state/servers-context';
import { useToolBench, useToolBenchActions } from '@/components/editor-state/tool-bench-context';
import { blankOf } from '@/components/people/argument-fields';
import { isRecord, type JsonObject, parseJson } from '@/lib/base/json';
import { type TriableTools, triableTools } from '@/lib/editor/tool-choices';

/** What the form shows of the chosen agent and of its tool. */
export interface ToolCallForm extends TriableTools {
  readonly description: string | undefined;
  /** The schema of the arguments, once it is known. */
  readonly schema: JsonObject | undefined;
  /** True if only a worker can say what the arguments are. */
  readonly needsLookUp: boolean;
  /** The arguments as JSON text. */
  readonly text: string;
  /** Why the text is no JSON object, once somebody has tried to send it. */
  readonly fault: string | undefined;
  /** Calls the tool. A worker says what is wrong with arguments that do not fit. */
  send(): void;
  /** Calls the tool also with arguments that do not fit. */
  sendAnyway(): void;
  /** Makes the last call again, and approves it. */
  approve(): void;
}

/** Returns what the form of the bench shows, and how its call is made. */
export function useToolCall(): ToolCallForm {
  const choice = useToolBench((state) => state.choice);
  const known = useToolBench((state) => state.known);
  const typed = useToolBench((state) => state.text);
  const actions = useToolBenchActions();
  const { tools, untested } = useTools(choice?.agent);
  const listed = tools.find(({ tool, server }) => tool === choice?.tool && server === choice?.server);
  const schema = known?.inputSchema ?? listed?.inputSchema;
  const text = useMemo(() => typed ?? JSON.stringify(blankOf(schema), null, 2), [typed, schema]);
  const [sent, setSent] = useState({ text: '', unchecked: false });
  const args = objectIn(text);
  const call = (unchecked: boolean, approve: boolean) => {
    setSent({ text, unchecked });
    if (args !== undefined && choice !== undefined && choice.tool !== '')
      void actions.call(args, { unchecked, approve });
  };
  return {
    tools,
    untested,
    description: known?.description ?? listed?.description,
    schema,
    needsLookUp: choice !== undefined && choice.tool !== '' && schema === undefined,
    text,
    fault: args === undefined && sent.text === text ? 'This is no JSON object, such as {"x": 1}.' : undefined,
    send: () => call(false, false),
    sendAnyway: () => call(true, false),
    approve: () => call(sent.unchecked, true),
  };
}

const noTools: TriableTools = { tools: [], untested: [] };

function useTools(agent: string | undefined): TriableTools {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const servers = useServers((state) => state.known);
  return useMemo(() => {
    const card = parsed.cards.find(({ name }) => name === agent);
    return card === undefined ? noTools : triableTools(parsed, folder, card, servers);
  }, [parsed, folder, servers, agent]);
}

function objectIn(text: string): JsonObject | undefined {
  const value = parseJson(text.trim() === '' ? '{}' : text);
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}
