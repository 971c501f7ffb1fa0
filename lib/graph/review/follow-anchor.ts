import { canonicalJson } from '@/lib/base/canonical-json';
import type { Json } from '@/lib/base/json';
import { own } from '@/lib/base/own';
import { agentView } from '@/lib/cards/agent-view';
import type { Folder } from '@/lib/cards/folder';
import { alignBefore } from '@/lib/graph/changes/align';
import type { ReadProject } from '@/lib/graph/changes/project-side';
import type { ChainEntry } from '@/lib/graph/hook-chain';
import { agentId, projectGraph } from '@/lib/graph/project';
import type { ReviewAnchor } from './anchor';
import { followLines, linesAt } from './follow-lines';

/*
 * Anchors in two versions of a folder. An anchor lives on while what it is about reads the same; names and paths may change.
 *
 *   line    the text of the lines        hook   its entry, its policy and its code
 *   agent   the text of the card         tool   its code, or which servers and tools the agent has
 *   field   its value                    edge   its kind, its marks and its options
 *   server  its entry in the configuration
 */

/** Returns the text of what an anchor is about. Returns `undefined` if the folder does not have it. */
export function anchoredText({ folder, parsed }: ReadProject, anchor: ReviewAnchor): string | undefined {
  switch (anchor.kind) {
    case 'review':
      return '';
    case 'line': {
      const text = textOf(folder, anchor.file);
      return text === undefined ? undefined : linesAt(text, anchor);
    }
    case 'server': {
      const server = own(parsed.config.servers, anchor.server);
      return server === undefined ? undefined : jsonText([server]);
    }
    case 'edge': {
      const { edges } = projectGraph(parsed);
      const [from, to] = [agentId(anchor.from), [agentId(anchor.to), `server:${anchor.to}`]];
      const between = edges.filter(({ source, target }) => source === from && to.includes(target));
      if (between.length === 0) return undefined;
      const options = parsed.settings.delegations[anchor.from]?.[anchor.to];
      return jsonText([between.map(({ kind, marks }) => [kind, marks]), options]);
    }
    default: {
      const card = parsed.cards.find(({ name }) => name === anchor.agent);
      if (card === undefined) return undefined;
      if (anchor.kind === 'agent') return textOf(folder, card.file);
      if (anchor.kind === 'hook') {
        const chain = projectGraph(parsed).chains[agentId(card.name)] ?? [];
        const entry = chain.find(({ spec }) => spec === anchor.hook);
        return entry === undefined ? undefined : hookText(folder, entry);
      }
      const view = agentView(card);
      if (anchor.kind === 'field') {
        // A workflow has fields that the view of it as an agent lacks.
        const value = new Map<string, unknown>(Object.entries({ ...view, ...card })).get(camelCase(anchor.field));
        return jsonText([value]);
      }
      const code = view.functionTools.find(({ functionName }) => functionName === anchor.tool);
      if (code !== undefined) return jsonText([code, textOf(folder, code.file)]);
      return jsonText([view.servers, view.tools, view.mcpConnect]);
    }
  }
}

/**
 * Finds what an anchor of one version is about in a later version, where it may have another name, path or line. Returns null if it was
 * changed or is gone.
 */
export function followAnchors(
  before: ReadProject,
  after: ReadProject,
  anchors: readonly ReviewAnchor[],
): readonly (ReviewAnchor | null)[] {
  if (anchors.every(({ kind }) => kind === 'review')) return anchors;
  const aligned = alignBefore(before, after);
  const renamed = (anchor: ReviewAnchor): ReviewAnchor => {
    const agent = (name: string) => aligned.agents.get(name) ?? name;
    switch (anchor.kind) {
      case 'review':
      case 'line':
        return anchor;
      case 'server':
        return { ...anchor, server: aligned.servers.get(anchor.server) ?? anchor.server };
      case 'edge':
        return { ...anchor, from: agent(anchor.from), to: agent(anchor.to) };
      case 'agent':
      case 'hook':
      case 'tool':
      case 'field':
        return { ...anchor, agent: agent(anchor.agent) };
    }
  };
  return anchors.map((anchor) => {
    if (anchor.kind === 'line') {
      const file = after.folder.has(anchor.file) ? anchor.file : (aligned.files.get(anchor.file) ?? anchor.file);
      const [old, now] = [textOf(before.folder, anchor.file), textOf(after.folder, file)];
      const range = old === undefined || now === undefined ? undefined : followLines(old, now, anchor);
      return range === undefined ? null : { ...anchor, file, ...range };
    }
    const next = renamed(anchor);
    const was = anchoredText(aligned.before, next);
    return was !== undefined && was === anchoredText(after, next) ? next : null;
  });
}

function hookText(folder: Folder, entry: ChainEntry): string {
  const { phase, kind, spec, parameters, policy, off, file } = entry;
  return jsonText([phase, kind, spec, parameters, policy, off, kind === 'code' ? textOf(folder, file) : null]);
}

function textOf(folder: Folder, path: string): string | undefined {
  const file = folder.get(path);
  return file?.kind === 'text' ? file.text : undefined;
}

function camelCase(field: string): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function jsonText(value: unknown): string {
  const json: Json = JSON.parse(JSON.stringify(value));
  return canonicalJson(json);
}
