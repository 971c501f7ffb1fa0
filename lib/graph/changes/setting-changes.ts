import { type Found, limitChange, listChange, switchChange } from './capability-change';
import { both, type Sides } from './project-side';

/** Settings of the whole project that no agent, server or edge has. */
export function settingChanges({ before, after }: Sides): Found[] {
  const [old, now] = [before.parsed.settings, after.parsed.settings];
  const about = (field: string, kind: Found['kind'] = 'setting') => ({
    kind,
    subject: { field },
    at: { settings: field.split('.') },
  });
  const tools = [
    ['files', 'read the files of the project'],
    ['state', 'read and change the state of a run'],
    ['artifacts', 'save and load artifacts'],
  ] as const;
  return [
    ...tools.flatMap(([key, can]) =>
      switchChange(
        about(`runtime_tools.${key}`, 'tool'),
        old.runtime_tools[key] === true,
        now.runtime_tools[key] === true,
        {
          on: `Every agent may now ${can}.`,
          off: `Agents may no longer ${can}.`,
        },
      ),
    ),
    ...listChange(
      about('recording.redact_keys'),
      old.recording.redact_keys ?? [],
      now.recording.redact_keys ?? [],
      (key, isNew) => {
        return `The values of the key '${key}' are ${isNew ? 'no longer' : 'now'} recorded in the log.`;
      },
      'less',
    ),
    ...limitChange(
      about('recording.max_payload_bytes'),
      'The limit of recorded bytes of a call',
      old.recording.max_payload_bytes ?? 65_536,
      now.recording.max_payload_bytes ?? 65_536,
    ),
    ...both(Object.keys(old.enable_sub_agent_hitl), Object.keys(now.enable_sub_agent_hitl)).flatMap((agent) => {
      const [was, is] = [old, now].map(
        ({ enable_sub_agent_hitl: by }) => Object.hasOwn(by, agent) && by[agent] === true,
      );
      return switchChange(
        { kind: 'person', subject: { agent }, at: { settings: ['enable_sub_agent_hitl', agent] } },
        was === true,
        is === true,
        {
          on: `Agent '${agent}' now takes over what its children ask people.`,
          off: `Agent '${agent}' no longer takes over what its children ask people.`,
        },
      );
    }),
  ];
}
