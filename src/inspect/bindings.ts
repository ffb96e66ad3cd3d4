/** What the names of one file stand for: imports, first values, functions, and what is pushed into collections. */
import type { Class, File, Node } from '@babel/types';
import { bare, childrenOf, isCall, isFunction, isLoop, methodOf, nameOf, type FunctionNode } from './ast';

/** A name that a package gave. */
export interface Import {
  /** `p-map`, `node:stream` as `stream`. */
  readonly module: string;
  /** `default`, `*` for the whole of it, else the name it is exported under. */
  readonly exported: string;
}

/** Where a node stands. */
export interface Surroundings {
  readonly parent: Node | undefined;
  /** The function it belongs to. */
  readonly fn: FunctionNode | undefined;
  /** The innermost loop of that function around it. */
  readonly loop: Node | undefined;
}

interface Value { readonly scope: FunctionNode | undefined; readonly node: Node }

export class Bindings {
  private readonly imports = new Map<string, Import>();
  private readonly values = new Map<string, Value[]>();
  private readonly functions = new Map<string, FunctionNode>();
  private readonly classes = new Map<string, Class>();
  private readonly added = new Map<string, Node[]>();
  private readonly chained = new Set<string>();
  private readonly surroundings = new Map<Node, Surroundings>();

  /** Every node of the file, outer ones first. */
  readonly nodes: Node[] = [];

  constructor(file: File) {
    this.visit(file.program, { parent: undefined, fn: undefined, loop: undefined });
  }

  around(node: Node): Surroundings { return this.surroundings.get(node) ?? { parent: undefined, fn: undefined, loop: undefined }; }

  importOf(name: string): Import | undefined { return this.imports.get(name); }
  functionOf(name: string): FunctionNode | undefined { return this.functions.get(name); }
  classOf(name: string): Class | undefined { return this.classes.get(name); }
  /** What is pushed into, added to or set in the collection of that name. */
  addedTo(name: string): readonly Node[] { return this.added.get(name) ?? []; }

  /** Whether its items are chains that grow: `slots[i % 3] = slots[i % 3].then(…)`. */
  isChained(name: string): boolean { return this.chained.has(name); }

  /** What the name was first given, where `at` sees it. */
  valueOf(name: string, at: Node): Node | undefined {
    const values = this.values.get(name);
    if (!values || values.length === 1) return values?.[0].node;
    for (let fn = this.around(at).fn; ; fn = this.around(fn).fn) {
      const found = values.find(({ scope }) => scope === fn);
      if (found) return found.node;
      if (!fn) return undefined;
    }
  }

  /** The expression itself, or what the name it is was first given. */
  resolve(node: Node): Node {
    const inner = bare(node);
    const name = nameOf(inner);
    const value = name === undefined ? undefined : this.valueOf(name, node);
    return value === undefined ? inner : bare(value);
  }

  /** The function that an expression is, names, or binds. */
  resolveFunction(node: Node): FunctionNode | undefined {
    const inner = bare(node);
    if (isFunction(inner)) return inner;
    const name = nameOf(inner);
    if (name !== undefined) {
      const value = this.valueOf(name, inner);
      return isFunction(value) ? value : this.functions.get(name);
    }
    const method = methodOf(inner);
    if (method?.name === 'bind') return this.resolveFunction(method.object);
    // `new Lane(0).go`, `this.pool.run`: a method of the file, where only one has that name.
    return inner?.type === 'MemberExpression' && !inner.computed ? this.functions.get(nameOf(inner.property) ?? '') : undefined;
  }

  /** A number in the source, or behind a name of it. */
  numberOf(node: Node | null | undefined): number | undefined {
    if (!node) return undefined;
    const value = this.resolve(node);
    return value.type === 'NumericLiteral' ? value.value : undefined;
  }

  /** Name of the function a node belongs to, or of the nearest around it that has one. */
  functionName(node: Node): string {
    for (let fn = this.around(node).fn; fn; fn = this.around(fn).fn) {
      const name = this.nameOf(fn);
      if (name !== undefined) return name;
    }
    return '';
  }

  /** The name of a function, or of what it is the value of. */
  nameOf(fn: FunctionNode): string | undefined {
    if (fn.type === 'ClassMethod' || fn.type === 'ObjectMethod') return nameOf(fn.key);
    if (fn.type !== 'ArrowFunctionExpression' && fn.id) return fn.id.name;
    const { parent } = this.around(fn);
    if (parent?.type === 'VariableDeclarator') return nameOf(parent.id);
    if (parent?.type === 'AssignmentExpression') return nameOf(parent.left);
    return parent?.type === 'ClassProperty' || parent?.type === 'ObjectProperty' ? nameOf(parent.key) : undefined;
  }

  private visit(node: Node, place: Surroundings): void {
    this.surroundings.set(node, place);
    this.nodes.push(node);
    this.note(node, place);
    const inside = {
      parent: node, fn: isFunction(node) ? node : place.fn,
      loop: isFunction(node) ? undefined : isLoop(node) ? node : place.loop,
    };
    for (const child of childrenOf(node)) this.visit(child, inside);
  }

  private note(node: Node, { fn }: Surroundings): void {
    switch (node.type) {
      case 'ImportDeclaration':
        for (const each of node.specifiers) {
          const exported = each.type === 'ImportDefaultSpecifier' ? 'default' : each.type === 'ImportNamespaceSpecifier' ? '*'
            : each.imported.type === 'Identifier' ? each.imported.name : each.imported.value;
          this.imports.set(each.local.name, { module: moduleName(node.source.value), exported });
        }
        break;
      case 'VariableDeclarator': this.noteDeclared(node.id, node.init ?? undefined, fn); break;
      case 'ClassProperty': case 'ClassPrivateProperty': if (node.value) this.noteValue(nameOf(node.key), node.value, undefined); break;
      case 'AssignmentExpression':
        if (node.left.type === 'MemberExpression' && node.left.computed) this.noteChain(node.left.object, bare(node.right));
        // `this.queue = …` in a constructor is what a class says of its fields.
        if (node.operator === '=' && node.left.type === 'MemberExpression') this.noteValue(nameOf(node.left), node.right, undefined);
        else if (node.operator === '=' && node.left.type === 'Identifier' && !this.values.has(node.left.name)) this.noteValue(node.left.name, node.right, fn);
        break;
      case 'ClassDeclaration': case 'ClassExpression': if (node.id) this.classes.set(node.id.name, node); break;
      case 'FunctionDeclaration': if (node.id) this.functions.set(node.id.name, node); break;
      case 'ClassMethod': case 'ObjectMethod': { const name = nameOf(node.key); if (name !== undefined && !this.functions.has(name)) this.functions.set(name, node); break; }
      case 'CallExpression': this.noteAdded(node); break;
    }
  }

  private noteDeclared(id: Node, init: Node | undefined, fn: FunctionNode | undefined): void {
    const module = init && requiredModule(init);
    if (module !== undefined) {
      if (id.type === 'Identifier') this.imports.set(id.name, { module, exported: exportedBy(init) ?? '*' });
      if (id.type === 'ObjectPattern') {
        for (const property of id.properties) {
          if (property.type !== 'ObjectProperty') continue;
          const local = nameOf(property.value);
          if (local !== undefined) this.imports.set(local, { module, exported: nameOf(property.key) ?? '*' });
        }
      }
    } else if (init && id.type === 'Identifier') {
      this.noteValue(id.name, init, fn);
      if (isFunction(init)) this.functions.set(id.name, init);
      if (init.type === 'ClassExpression') this.classes.set(id.name, init);
    }
  }

  private noteValue(name: string | undefined, node: Node, scope: FunctionNode | undefined): void {
    if (name === undefined) return;
    const known = this.values.get(name);
    if (known) known.push({ scope, node }); else this.values.set(name, [{ scope, node }]);
  }

  private noteChain(target: Node, value: Node): void {
    const slots = nameOf(target);
    const method = methodOf(value);
    if (slots === undefined || method?.name !== 'then' || method.object.type !== 'MemberExpression') return;
    if (nameOf(method.object.object) === slots) this.chained.add(slots);
  }

  private noteAdded(call: Node & { readonly type: 'CallExpression' }): void {
    const method = methodOf(call);
    const name = method && /^(push|add|set|unshift)$/.test(method.name) ? nameOf(method.object) : undefined;
    const last = call.arguments.at(-1);
    if (name === undefined || !last) return;
    const known = this.added.get(name);
    if (known) known.push(last); else this.added.set(name, [last]);
  }
}

const moduleName = (source: string): string => source.replace(/^node:/, '');

/** The module of `require('…')`, `require('…').name` and `await import('…')`. */
function requiredModule(node: Node): string | undefined {
  const call = bare(node);
  if (call.type === 'MemberExpression') return requiredModule(call.object);
  if (!isCall(call)) return undefined;
  const [source] = call.arguments;
  return (nameOf(call.callee) === 'require' || call.callee.type === 'Import') && source?.type === 'StringLiteral' ? moduleName(source.value) : undefined;
}

function exportedBy(node: Node | undefined): string | undefined {
  const inner = node ? bare(node) : undefined;
  return inner?.type === 'MemberExpression' && !inner.computed ? nameOf(inner.property) : undefined;
}
