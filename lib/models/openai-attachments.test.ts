import { expect, test } from 'vitest';
import { brandAs } from '@/lib/base/ids';
import type { ContentBlock } from '@/lib/runtime/record/messages';
import { officialDialect } from '@/lib/testing/models-with';
import { requestBody, wireTools } from './openai-request';

test('files of a message go to the model under their names, with their media types', () => {
  const content: ContentBlock[] = [
    { type: 'text', text: 'look' },
    { type: 'resource', uri: 'docs/notes.md', mimeType: 'text/markdown', text: '# Hi' },
    { type: 'resource', uri: 'docs/report.pdf', mimeType: 'application/pdf', blob: 'AAEC' },
    { type: 'image', data: 'AQID', mimeType: 'image/png' },
  ];
  const body = requestBody(
    {
      runId: brandAs('run'),
      path: brandAs('kid'),
      agentName: 'kid',
      instanceName: 'kid',
      turn: 1,
      step: brandAs('kid#m1'),
      model: 'gpt',
      instruction: '',
      messages: [{ role: 'user', content }],
      tools: [],
      requestParams: {},
    },
    { provider: undefined, name: 'gpt', query: new Map() },
    wireTools([]),
    { ...officialDialect, official: false },
  );
  expect(JSON.parse(body.json).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'text', text: 'File docs/notes.md (text/markdown):\n# Hi' },
        { type: 'file', file: { filename: 'report.pdf', file_data: 'data:application/pdf;base64,AAEC' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      ],
    },
  ]);
});
