import { type Message, textOf } from './messages';

const opening = 'The answer was not accepted: ';

/** Makes the message that tells a model why its answer was not accepted. `reason` is a clause without a full stop. */
export function repairMessage(reason: string): Message {
  const text = `${opening}${reason}. Send the whole answer again as JSON that fits the schema, and nothing else.`;
  return { role: 'user', content: [{ type: 'text', text }] };
}

/** Returns true for a message of `repairMessage`. */
export function isRepairMessage(message: Message): boolean {
  return message.role === 'user' && textOf(message.content).startsWith(opening);
}
