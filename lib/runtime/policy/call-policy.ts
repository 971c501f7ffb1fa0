import { breachSentence, type DemandOf, type PolicyBreach, type PolicyRule } from '@/lib/cards/policy/rule';
import type { HookLayer, PlacedLayer } from '@/lib/runtime/hook-layers/hook-layer';
import { isAbout, type PolicyCall } from './match-call';

/** The rules of the team that a call meets. They are looked at when it is made, so no way to make a call goes past them. */

/** Returns the rules about hooks that a call with these layers (outermost first) breaks. */
export function hookBreaches(
  rules: readonly PolicyRule[],
  call: PolicyCall,
  layers: readonly PlacedLayer[],
): readonly PolicyBreach[] {
  return rules.flatMap((rule) => {
    const { demand } = rule;
    if (demand.kind !== 'hook' || !isAbout(demand, call)) return [];
    const fault = hookFault(demand, layers);
    return fault === undefined
      ? []
      : [{ rule, message: breachSentence(rule, `a call of '${call.tool.name}' ${fault}`) }];
  });
}

/** Returns the places of the layers that rules demand for the call. */
export function demandedPlaces(
  rules: readonly PolicyRule[],
  call: PolicyCall,
  layers: readonly PlacedLayer[],
): ReadonlySet<number> {
  const hooks = rules.flatMap(({ demand }) => (demand.kind === 'hook' && isAbout(demand, call) ? [demand.hook] : []));
  return new Set(layers.flatMap(({ layer, place }) => (hooks.includes(nameForRules(layer)) ? [place] : [])));
}

/** Returns the first rule that demands that a person approves the call. */
export function demandedApproval(rules: readonly PolicyRule[], call: PolicyCall): PolicyRule | undefined {
  return rules.find(({ level, demand }) => level === 'block' && demand.kind === 'approval' && isAbout(demand, call));
}

function hookFault({ hook, place }: DemandOf<'hook'>, layers: readonly PlacedLayer[]): string | undefined {
  const found = layers.flatMap(({ layer }, index) => (nameForRules(layer) === hook ? [{ layer, index }] : []));
  if (found.length === 0) return `does not go through the hook ${hook}`;
  const closed = found.filter(({ layer }) => layer.onError === 'fail');
  if (closed.length === 0) return `goes on when the hook ${hook} fails; remove its on_error: skip`;
  if (place === 'first' && !closed.some(({ index }) => index === 0)) {
    return `goes through another hook before the hook ${hook}, which must be the first`;
  }
  if (place === 'last' && !closed.some(({ index }) => index === layers.length - 1)) {
    return `goes through another hook after the hook ${hook}, which must be the last`;
  }
  return undefined;
}

/** A code hook is known by its place in the folder, because a card may write the path in several ways. */
function nameForRules({ name, code }: HookLayer): string {
  return code === undefined ? name : `${code.file}:${code.functionName}`;
}
