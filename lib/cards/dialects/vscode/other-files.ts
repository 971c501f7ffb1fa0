import type { DialectDocument } from '@/lib/cards/dialects/form/dialect';

/**
 * Files of VS Code and Copilot that are no agents and no servers, and what becomes of them. The first row that fits a path counts.
 * Sources: code.visualstudio.com/docs/agent-customization/prompt-files, /custom-instructions, /hooks and /agent-skills.
 */
export const otherFiles: readonly DialectDocument[] = [
  {
    key: 'prompts',
    place: /\.prompt\.md$/,
    becomes: 'kept',
    told: 'kept',
    say: 'A prompt (*.prompt.md) is kept and has no effect here: a person types it in VS Code.',
  },
  {
    key: 'instructions',
    place: /\.instructions\.md$/,
    becomes: 'not-read',
    told: 'kept',
    say: "Instructions (*.instructions.md) are kept and not read into the prompts of agents, with or without 'applyTo'. Copy what an agent needs.",
  },
  {
    key: 'rules',
    place: /^(?:AGENTS|CLAUDE)\.md$/,
    becomes: 'not-read',
    told: 'kept',
    say: 'Rules for every agent, such as AGENTS.md, are kept and not read into the prompts of agents.',
  },
  {
    key: 'hook-files',
    place: /^\.github\/hooks\/.+\.json$/,
    becomes: 'not-read',
    told: 'cannot-run',
    say: 'Hooks of .github/hooks are kept and cannot run here. They are commands.',
  },
  {
    key: 'skill-file',
    place: /^\.(?:github|claude|agents)\/skills\/[^/]+\/./,
    becomes: 'skill',
    say: 'A file of a skill. An agent that has the skill can read it.',
  },
];
