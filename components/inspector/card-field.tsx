'use client';

import { ConnectionsField } from './connections-field';
import type { CardField } from './field-kinds';
import type { FieldPlace } from './field-place';
import { FilterField } from './filter-field';
import { FlagField } from './flag-field';
import { GroupsField } from './groups-field';
import { HookFields } from './hook-section';
import { FilesField, SkillsField, WordsField } from './list-pickers';
import { AgentPicker, AgentsField, FunctionsField, ServersField } from './member-fields';
import { ModelField } from './model-field';
import { PairsField } from './pairs-field';
import { ParametersField } from './parameters-field';
import { SchemaField } from './schema-field';
import { ValueFieldInput } from './value-input';

/** Shows one field. It writes directly into the text of the card or of `callboard.yaml`. */
export function CardFieldInput({ place, field }: { readonly place: FieldPlace; readonly field: CardField }) {
  const show = (inner: CardField) => <CardFieldInput place={place} field={inner} />;
  switch (field.kind) {
    case 'flag':
      return <FlagField place={place} field={field} />;
    case 'agent':
      return <AgentPicker place={place} field={field} />;
    case 'agents':
      return <AgentsField place={place} field={field} />;
    case 'servers':
      return <ServersField place={place} field={field} />;
    case 'filter':
      return <FilterField place={place} field={field} />;
    case 'words':
      return <WordsField place={place} field={field} />;
    case 'files':
      return <FilesField place={place} field={field} />;
    case 'skills':
      return <SkillsField place={place} field={field} />;
    case 'functions':
      return <FunctionsField place={place} field={field} />;
    case 'hooks':
      return <HookFields place={place} field={field} />;
    case 'model':
      return <ModelField place={place} field={field} />;
    case 'schema':
      return <SchemaField place={place} field={field} />;
    case 'pairs':
      return <PairsField place={place} field={field} />;
    case 'connections':
      return <ConnectionsField place={place} field={field} show={show} />;
    case 'parameters':
      return <ParametersField place={place} field={field} />;
    case 'groups':
      return <GroupsField place={place} field={field} show={show} />;
    default:
      return <ValueFieldInput place={place} field={field} />;
  }
}
