import type { DialectDocument } from '@/lib/cards/dialects/form/dialect';

/**
 * Files of Claude Code that are no agents and no servers, and what becomes of them. The first row that fits a path counts. Sources:
 * code.claude.com/docs/en/memory, /settings, /skills, /slash-commands, /output-styles and /plugins-reference.
 */
export const otherFiles: readonly DialectDocument[] = [
  {
    key: 'settings',
    place: /^\.claude\/settings\.json$/,
    becomes: 'settings',
    say: 'Settings that everyone shares. What they deny holds here too.',
  },
  {
    key: 'local-settings',
    place: /^\.claude\/settings\.local\.json$/,
    becomes: 'not-read',
    told: 'kept',
    say: 'The own settings of one person are kept and not read here. Write what everybody is denied into .claude/settings.json.',
  },
  {
    key: 'skill-file',
    place: /^\.claude\/skills\/[^/]+\/./,
    becomes: 'skill',
    say: 'A file of a skill. An agent that has the skill can read it.',
  },
  {
    key: 'commands',
    place: /^\.claude\/commands\/.+\.md$/,
    becomes: 'kept',
    told: 'kept',
    say: 'A command of .claude/commands is kept and has no effect here: a person types it in Claude Code.',
  },
  {
    key: 'rules',
    place: /^\.claude\/rules\/.+\.md$/,
    becomes: 'not-read',
    told: 'cannot-run',
    say: 'Rules of .claude/rules are not read into the instruction here. Copy what the main agent needs into CLAUDE.md.',
  },
  {
    key: 'home-rules',
    place: /^\.claude\/CLAUDE\.md$/,
    becomes: 'not-read',
    told: 'cannot-run',
    say: 'The instruction of .claude/CLAUDE.md is not read here. Move its text into CLAUDE.md at the top of the folder.',
  },
  {
    key: 'local-rules',
    place: /(?:^|\/)CLAUDE\.local\.md$/,
    becomes: 'not-read',
    told: 'kept',
    say: 'CLAUDE.local.md has the own instructions of one person. It is kept and not read here.',
  },
  {
    key: 'rules-further-down',
    place: /\/CLAUDE\.md$/,
    becomes: 'not-read',
    told: 'kept',
    say: 'A CLAUDE.md in a folder further down is kept and not read here. Claude Code reads it with the files beside it.',
  },
  {
    key: 'hook-files',
    place: /^\.claude\/hooks\/./,
    becomes: 'kept',
    say: 'A file for hooks is kept and has no effect here: the hooks of .claude/settings.json do not run.',
  },
  {
    key: 'output-styles',
    place: /^\.claude\/output-styles\/.+\.md$/,
    becomes: 'kept',
    told: 'kept',
    say: 'An output style is kept and has no effect here. Write how the main agent answers into CLAUDE.md.',
  },
  {
    key: 'agent-memory',
    place: /^\.claude\/agent-memory(?:-local)?\/./,
    becomes: 'not-read',
    say: 'What an agent of Claude Code noted for itself is kept and not read here.',
  },
  {
    key: 'plugins',
    place: /(?:^|\/)\.claude-plugin\/./,
    becomes: 'not-read',
    told: 'cannot-run',
    say: 'A plugin is kept and not read here. Copy its agents into .claude/agents, its skills into .claude/skills and its servers into .mcp.json.',
  },
  {
    key: 'no-agent',
    place: /^\.claude\/agents\/.+\.md$/,
    becomes: 'kept',
    say: "A document: without 'name' in its front matter, Claude Code does not load it as an agent either.",
  },
  {
    key: 'home',
    place: /^\.claude\/./,
    becomes: 'kept',
    say: 'A file in the folder of Claude Code. It is kept, and nothing here reads it.',
  },
];
