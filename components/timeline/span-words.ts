import { spanDetail, type Trace } from '@/lib/trace/trace';

/** Returns the kind in words: "Model call", "MCP tool on time", "Delegation", …. */
export function kindWord(trace: Trace, span: number): string {
  switch (trace.spans.kindOf(span)) {
    case 'instance':
      return 'Instance';
    case 'queued':
      return 'Waiting to begin';
    case 'model':
      return 'Model call';
    case 'hook':
      return spanDetail(trace, span) === 'around' ? 'Hook around a call' : `Hook ${spanDetail(trace, span)}`;
    case 'setup':
      return setupWord(spanDetail(trace, span));
    case 'decision':
      return decisionKinds[spanDetail(trace, span)] ?? 'Decision';
    case 'waiting':
      return 'Question to a person';
    case 'framework':
      return 'Span of the framework';
    case 'tool':
      return toolWord(trace, span);
  }
}

function setupWord(what: string): string {
  if (what === 'code') return 'Loading of code';
  return what === 'text' ? 'Text at an address' : 'Start of a server';
}

const decisionKinds: Readonly<Record<string, string>> = {
  route: 'Choice of an agent',
  rating: 'Rating',
  plan: 'Plan',
  plan_end: 'End of the plan',
  vote: 'Vote',
  votes: 'Result of the vote',
  remote_task: 'Remote task',
};

function toolWord(trace: Trace, span: number): string {
  const server = spanDetail(trace, span);
  switch (trace.spans.sourceOf(span)) {
    case 'mcp':
      return server === '' ? 'MCP tool' : `MCP tool on ${server}`;
    case 'function':
      return 'Function tool';
    case 'agent':
      return 'Delegation';
    case 'runtime':
    case 'none':
      return 'Built-in tool';
  }
}

/** Returns what else there is to say about a span, in a word each. */
export function spanNotes(trace: Trace, span: number): readonly string[] {
  const { spans } = trace;
  const notes: string[] = [];
  const isGiven = spans.has(span, 'pinned') || spans.has(span, 'recorded');
  if (spans.has(span, 'cached') && !isGiven) notes.push('Cached');
  if (spans.has(span, 'pinned')) notes.push('Pinned answer');
  if (spans.has(span, 'recorded')) notes.push('Recorded answer');
  if (spans.has(span, 'refused')) notes.push('Refused');
  if (spans.has(span, 'stopped')) notes.push('Did not call next');
  if (spans.has(span, 'denied')) notes.push('Denied');
  if (spans.has(span, 'edited')) notes.push('Arguments changed');
  if (spans.has(span, 'changed')) notes.push('Made a change');
  return notes;
}
