'use client';

import { type ReactNode, useMemo } from 'react';
import { useProject } from '@/components/editor-state/project-context';
import { MissingKey } from '@/components/keys/set-key';
import type { Card } from '@/lib/cards/card';
import { describeModel } from '@/lib/editor/model-choices';
import { modelEnvOf } from '@/lib/editor/picture';
import {
  delegatedModels,
  type ModelPreview,
  previewModel,
  type ServedModel,
} from '@/lib/runtime/request/model-preview';

/** Shows below the field of a card's model who serves it, at which address, and whether there is a key. */
export function ModelLine({ card }: { readonly card: Card }) {
  const parsed = useProject((state) => state.picture.drawn);
  const folder = useProject((state) => state.document.folder);
  const installation = useProject((state) => state.installation);
  const preview = useMemo(() => {
    const here = modelEnvOf(installation);
    return here && previewModel(parsed, folder, card, here);
  }, [parsed, folder, card, installation]);
  const delegated = useMemo(() => delegatedModels(parsed, card), [parsed, card]);
  if (preview === undefined) return null;
  return (
    <section aria-label="Who serves the model" className="mt-1 flex flex-col gap-1 text-xs">
      <Answer preview={preview} />
      {delegated.map(({ caller, model }) => (
        <p key={caller} className="break-words text-muted">
          Called by {caller}, it runs on <code className="break-all font-mono text-ink">{model}</code>.
        </p>
      ))}
    </section>
  );
}

function Answer({ preview }: { readonly preview: ModelPreview }) {
  switch (preview.is) {
    case 'script':
      return <p className="text-muted">The project’s script answers in place of models. No provider is called.</p>;
    case 'internal':
      return (
        <p className="text-muted">
          <code className="font-mono text-ink">{preview.model}</code> is a test model: Callboard answers, and no
          provider is called.
        </p>
      );
    case 'inherited':
      return (
        <p className="break-words text-muted">
          Neither this card nor default_model sets a model. It runs on the model of its caller,{' '}
          {preview.callers.slice(0, 5).join(' or ')}.
        </p>
      );
    case 'missing':
    case 'unserved':
      return (
        <div className="flex flex-col items-start gap-1.5 break-words rounded border border-bad bg-bad-soft px-2 py-1.5 text-bad">
          <p className="max-w-full">{preview.message}</p>
          <MissingKey text={preview.message} />
        </div>
      );
    case 'served':
      return <Served served={preview} />;
  }
}

const wireWords = {
  chat: 'OpenAI’s chat completions',
  messages: 'Anthropic’s Messages',
  responses: 'OpenAI’s Responses',
} as const;
const keyWords = { set: 'Set', 'not set': 'Not set', unneeded: 'None needed' } as const;

function Served({ served }: { readonly served: ServedModel }) {
  const { provider, model, alias, from, address, wire, key, canonical } = served;
  const { price, context, abilities } = describeModel(canonical);
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 rounded border bg-sunken px-2 py-1.5">
      <Row term="Provider">{provider}</Row>
      <Row term="Model">
        {alias === undefined ? null : (
          <>
            <code className="font-mono">{alias}</code> <span aria-hidden>→</span>
            <span className="sr-only"> stands for</span>{' '}
          </>
        )}
        <code className="font-mono">{model}</code>
        {from === 'default_model' ? <span className="text-muted"> (default_model)</span> : null}
      </Row>
      <Row term="Address">
        <code className="font-mono">{address}</code>
      </Row>
      <Row term="Format">{wireWords[wire]}</Row>
      <Row term="Key">{keyWords[key]}</Row>
      <Row term="Price">{price ?? 'Not known'}</Row>
      <Row term="Context">{context ?? 'Not known'}</Row>
      {abilities.length === 0 ? null : <Row term="Can do">{abilities.join(', ')}</Row>}
    </dl>
  );
}

function Row(props: { readonly term: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{props.term}</dt>
      <dd className="min-w-0 break-all">{props.children}</dd>
    </>
  );
}
