/** Types of `parameters.mjs`, for the extension, the page and the tests. */
import type { Parameters, Problem, Values } from '../../../src/model/demos';

export function problemOf(specs: Parameters, name: string, text: string, values?: Values): Problem | undefined;
export function valuesOf(words: readonly string[], specs: Parameters): { readonly values?: Values; readonly refusal?: string };
export function helpOn(specs: Parameters): string;
export function readParameters(about: string, specs: Parameters): Values;
export function scriptName(): string;
