import { describe, expect, it } from 'vitest';
import { folderOf } from '@/lib/cards/files';
import { readFolder } from '@/lib/cards/project/read-folder';
import { runGraph } from '@/lib/testing/run-graph';
import { scriptedModel } from '@/lib/testing/scripted-model';

/** Expressions by which template engines of comparable products have run code. */
const expressions = [
  '{{7*7}}',
  '{{ 7 * 7 }}',
  '{{=7*7}}',
  '{{$json.constructor}}',
  "{{constructor.constructor('return process')().env}}",
  "{{ ''.__class__.__mro__[1].__subclasses__() }}",
  '{% for x in range(9) %}{{x}}{% endfor %}',
  '<%= 7*7 %>',
  '#{7*7}',
  '*{7*7}',
  '@{7*7}',
  '{{env.HOME}}',
  '{{process.env}}',
  '{{agentName.constructor}}',
  '{{agentName|upper}}',
  '{{__proto__}}',
  '{{toString}}',
  '{{constructor}}',
  '$(id)',
  '`id`',
  `\${7*7}`,
  `\${HOME:-$(id)}`,
  `\${globalThis.process}`,
  `\${__proto__}`,
  '{0.__class__}',
  '{message.__init__.__globals__}',
  '!!python/object/apply:os.system [id]',
];

async function told(instruction: string, message: string) {
  const card = `---\nname: lead\nmodel: passthrough\n---\n${instruction}\n`;
  const model = scriptedModel({ lead: 'end' });
  await runGraph({ parsed: readFolder(folderOf({ 'lead.md': card })), model, request: { message } });
  const [request] = model.requests;
  if (request === undefined) throw new Error('The model was not asked');
  return { instruction: request.instruction, message: JSON.stringify(request.messages) };
}

describe('what looks like an expression is text', () => {
  it.each(expressions)('%s', async (expression) => {
    const { instruction, message } = await told(`A ${expression} Z`, `M ${expression} N`);
    expect(instruction.trim()).toBe(`A ${expression} Z`);
    expect(message).toContain(JSON.stringify(`M ${expression} N`).slice(1, -1));
  });

  it('a value that is filled in is not read again', async () => {
    const files = {
      'lead.md': '---\nname: lead\nmodel: passthrough\n---\n{{file:notes.md}}\n',
      'notes.md': '{{agentName}} {{file:lead.md}} {{7*7}}',
    };
    const model = scriptedModel({ lead: 'end' });
    const folder = folderOf(files);
    await runGraph({ parsed: readFolder(folder), folder, model });
    expect(model.requests[0]?.instruction).not.toContain('name: lead');
    expect(model.requests[0]?.instruction).toContain('{{file:lead.md}} {{7*7}}');
  });
});

describe('a directive in a prompt is text', () => {
  const parsedWith = (body: string) =>
    readFolder(
      folderOf({
        'lead.md': `---\nname: lead\nmodel: passthrough\n---\n${body}\n`,
      }),
    );

  it('it gives its agent no tool, no child and no shell', async () => {
    const directive = '<!-- fast-agent-subagents -->\n<!-- fast-agent-shell -->\nfast-agent-subagents';
    const requests = [];
    for (const body of ['Be kind.', `Be kind.\n${directive}`]) {
      const model = scriptedModel({ lead: 'end' });
      await runGraph({ parsed: parsedWith(body), model });
      requests.push(model.requests[0]);
    }
    const [plain, directed] = requests;
    expect(directed?.tools).toEqual(plain?.tools);
    expect(directed?.instruction).toContain(directive);
    expect(parsedWith(directive).issues.filter(({ code }) => code === 'directive-ignored')).not.toEqual([]);
  });
});
