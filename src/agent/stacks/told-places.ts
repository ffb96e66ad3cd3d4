/** Places in the running code, chains of them and texts: each is told to the host once, and is a number from then on. */
import { Fact, FrameFlag, TextKind } from '../../model/facts';
import type { FactWriter } from '../fact-writer';
import { originOf, type CallSite } from './raw-stack';

/** More different places than any program has; past it new ones are not told any more. */
const MAX_PLACES = 1 << 20;

/** A place in a function, or a builtin. `fn` is the number of the function, 0 of a builtin. */
export interface Place { readonly id: number; readonly native: boolean; readonly name: string; readonly user: boolean; readonly fn: number; readonly position: number }

/** Places in a file by their position, and the numbers of its functions by where they begin. */
interface FilePlaces { readonly places: Map<number, Place>; readonly functions: Map<string, number> }

export class ToldPlaces {
  private readonly strings = new Map<string, number>();
  private readonly byFile = new Map<string, FilePlaces>();
  private readonly natives = new Map<string, Place>();
  private readonly chains = new Map<number, number>();
  private readonly innerPlaces = new Map<number, number>();
  private functions = 0;
  private readonly userFiles = new Map<string, boolean>();
  private places = 0;

  constructor(private readonly writer: FactWriter) {}

  /** Files of the program that were on a stack so far, and no library's. */
  get programFiles(): string[] { return [...this.userFiles].flatMap(([file, user]) => (user ? [file] : [])); }

  /** Whether it is code of the program's. */
  isUser(site: CallSite): boolean {
    const file = site.getFileName();
    if (!file) return false;
    let user = this.userFiles.get(file);
    if (user === undefined) this.userFiles.set(file, (user = !file.startsWith('node:') && !/[\\/]node_modules[\\/]/.test(file)));
    return user;
  }

  /** @returns undefined past as many as are told of */
  placeOf(site: CallSite): Place | undefined {
    const file = site.getFileName() ?? site.getScriptNameOrSourceURL?.() ?? '';
    if (!file) {
      const name = site.getFunctionName() ?? '';
      let place = this.natives.get(name);
      if (!place && this.places < MAX_PLACES) {
        place = { id: ++this.places, native: true, name, user: false, fn: 0, position: 0 };
        this.natives.set(name, place);
        this.writer.frame(FrameFlag.native, place.id, 0, this.stringOf(name), 0, 0, 0, 0);
      }
      return place;
    }
    let inFile = this.byFile.get(file);
    if (!inFile) this.byFile.set(file, (inFile = { places: new Map(), functions: new Map() }));
    const position = site.getPosition?.() ?? (site.getLineNumber() ?? 0) * 65536 + (site.getColumnNumber() ?? 0);
    let place = inFile.places.get(position);
    if (!place && this.places < MAX_PLACES) {
      const line = site.getLineNumber() ?? 0;
      const column = site.getColumnNumber() ?? 0;
      const startLine = site.getEnclosingLineNumber?.() ?? line;
      const startColumn = site.getEnclosingColumnNumber?.() ?? column;
      const at = originOf(file, line, column);
      const start = originOf(file, startLine, startColumn);
      const name = site.getFunctionName() ?? '';
      // A module and the first function in it may begin at the same place: only the function has a name.
      const fn = this.functionOf(inFile, `${startLine}:${startColumn}${startLine === 1 && startColumn === 1 && name !== '' ? ':named' : ''}`);
      place = { id: ++this.places, native: false, name: '', user: this.isUser(site), fn, position };
      inFile.places.set(position, place);
      this.writer.frame(0, place.id, this.stringOf(at.file), this.stringOf(name), at.line, at.column, start.line, start.column);
    }
    return place;
  }

  /** @returns the stack id of the frames, innermost first. */
  chainOf(sites: readonly CallSite[]): number {
    let stack = 0;
    for (let i = sites.length - 1; i >= 0; i--) {
      const place = this.placeOf(sites[i]);
      if (place) stack = this.chain(stack, place, sites[i].isAsync?.() === true);
    }
    return stack;
  }

  /** @returns a number for the places of the innermost frames, which the host is not told of */
  placesOf(sites: readonly CallSite[], count: number): number {
    let places = 0;
    for (let i = count - 1; i >= 0; i--) {
      const key = places * MAX_PLACES + (this.placeOf(sites[i])?.id ?? 0);
      let id = this.innerPlaces.get(key);
      if (id === undefined) this.innerPlaces.set(key, (id = this.innerPlaces.size + 1));
      places = id;
    }
    return places;
  }

  /** @param callers stack id of what called the place's code @returns the stack id of both; 0 past as many as are told of */
  chain(callers: number, place: Place, awaits: boolean): number {
    const key = callers * (MAX_PLACES * 2) + place.id * 2 + (awaits ? 1 : 0);
    let id = this.chains.get(key);
    if (id === undefined) {
      id = this.chains.size + 1;
      if (id > MAX_PLACES) return 0;
      this.chains.set(key, id);
      this.writer.record(Fact.stack, awaits ? 1 : 0, id, callers, place.id, 0, 0, 0);
    }
    return id;
  }

  /** @returns the text's number, told to the host; 0 for the empty one */
  stringOf(text: string): number {
    if (text === '') return 0;
    let id = this.strings.get(text);
    if (id === undefined) {
      this.strings.set(text, (id = this.strings.size + 1));
      this.writer.text(TextKind.string, id, text);
    }
    return id;
  }

  /** @param begins where it begins */
  private functionOf({ functions }: FilePlaces, begins: string): number {
    let id = functions.get(begins);
    if (id === undefined) functions.set(begins, (id = ++this.functions));
    return id;
  }
}
