package dev.berth.registry.patch;

import static dev.berth.registry.patch.Trees.object;
import static dev.berth.registry.patch.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonArray;
import dev.berth.model.tree.JsonObject;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonPatchTest {
  /** The examples of RFC 6902's appendix A, by its numbers, and what else is allowed. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          A.1 add a field | {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux'}] | {'baz':'qux','foo':'bar'}
          A.2 add an element | {'foo':['bar','baz']} | [{'op':'add','path':'/foo/1','value':'qux'}] | {'foo':['bar','qux','baz']}
          A.3 remove a field | {'baz':'qux','foo':'bar'} | [{'op':'remove','path':'/baz'}] | {'foo':'bar'}
          A.4 remove an element | {'foo':['bar','qux','baz']} | [{'op':'remove','path':'/foo/1'}] | {'foo':['bar','baz']}
          A.5 replace a value | {'baz':'qux','foo':'bar'} | [{'op':'replace','path':'/baz','value':'boo'}] | {'baz':'boo','foo':'bar'}
          A.6 move a value | {'foo':{'bar':'baz','waldo':'fred'},'qux':{'corge':'grault'}} | [{'op':'move','from':'/foo/waldo','path':'/qux/thud'}] | {'foo':{'bar':'baz'},'qux':{'corge':'grault','thud':'fred'}}
          A.7 move an element | {'foo':['all','grass','cows','eat']} | [{'op':'move','from':'/foo/1','path':'/foo/3'}] | {'foo':['all','cows','eat','grass']}
          A.8 test for success | {'baz':'qux','foo':['a',2,'c']} | [{'op':'test','path':'/baz','value':'qux'},{'op':'test','path':'/foo/1','value':2}] | {'baz':'qux','foo':['a',2,'c']}
          A.10 add a nested object | {'foo':'bar'} | [{'op':'add','path':'/child','value':{'grandchild':{}}}] | {'foo':'bar','child':{'grandchild':{}}}
          A.11 ignore unknown members | {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux','xyz':123}] | {'foo':'bar','baz':'qux'}
          A.14 escape the tilde | {'/':9,'~1':10} | [{'op':'test','path':'/~01','value':10}] | {'/':9,'~1':10}
          A.16 add an array as element | {'foo':['bar']} | [{'op':'add','path':'/foo/-','value':['abc','def']}] | {'foo':['bar',['abc','def']]}
          add replaces a field | {'a':1} | [{'op':'add','path':'/a','value':2}] | {'a':2}
          escape the slash | {'a/b':1} | [{'op':'replace','path':'/a~1b','value':2}] | {'a/b':2}
          an empty name | {'':1} | [{'op':'replace','path':'/','value':2}] | {'':2}
          copy | {'a':{'b':[1]}} | [{'op':'copy','from':'/a/b','path':'/c'}] | {'a':{'b':[1]},'c':[1]}
          copy into itself | {'a':{}} | [{'op':'copy','from':'/a','path':'/a/a'}] | {'a':{'a':{}}}
          from the end | {'a':[1,2,3]} | [{'op':'remove','path':'/a/-1'}] | {'a':[1,2]}
          before the end | {'a':[1,2]} | [{'op':'add','path':'/a/-1','value':3}] | {'a':[1,2,3]}
          replace an element | {'a':[1,{'b':2}]} | [{'op':'replace','path':'/a/1/b','value':3}] | {'a':[1,{'b':3}]}
          replace the whole | {'a':1} | [{'op':'replace','path':'','value':{'b':2}}] | {'b':2}
          test the whole | {'a':1,'b':2} | [{'op':'test','path':'','value':{'b':2,'a':1}}] | {'a':1,'b':2}
          a left out value is null | {} | [{'op':'add','path':'/a'}] | {'a':null}
          replace null | {'a':null} | [{'op':'replace','path':'/a','value':1}] | {'a':1}
          test an absent field for null | {} | [{'op':'test','path':'/a','value':null}] | {}
          replace an absent field | {} | [{'op':'replace','path':'/a','value':1}] | {'a':1}
          copy an absent field | {} | [{'op':'copy','from':'/a','path':'/b'}] | {'b':null}
          no operations | {'a':1} | [] | {'a':1}
          """)
  void applies(String name, String document, String patch, String expected) {
    assertThat(JsonPatch.parse(tree(patch)).apply(object(document)))
        .as(name)
        .isEqualTo(object(expected));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          A.9 failing test | {'baz':'qux'} | [{'op':'test','path':'/baz','value':'bar'}] | testing value /baz failed: test failed
          A.12 add below nothing | {'foo':'bar'} | [{'op':'add','path':'/baz/bat','value':'qux'}] | add operation does not apply: doc is missing path: "/baz/bat": missing value
          A.15 strings are no numbers | {'a':10} | [{'op':'test','path':'/a','value':'10'}] | testing value /a failed: test failed
          add below a string | {'a':'b'} | [{'op':'add','path':'/a/b','value':1}] | add operation does not apply: doc is missing path: "/a/b": missing value
          add the whole | {'a':'b'} | [{'op':'add','path':'','value':{}}] | add operation does not apply: doc is missing path: "": missing value
          remove nothing | {} | [{'op':'remove','path':'/a'}] | error in remove for path: '/a': Unable to remove nonexistent key: a: missing value
          remove below nothing | {} | [{'op':'remove','path':'/a/b'}] | remove operation does not apply: doc is missing path: "/a/b": missing value
          remove beyond the end | {'a':[1]} | [{'op':'remove','path':'/a/1'}] | error in remove for path: '/a/1': Unable to access invalid index: 1: invalid index referenced
          remove before the start | {'a':[1]} | [{'op':'remove','path':'/a/-2'}] | error in remove for path: '/a/-2': Unable to access invalid index: -2: invalid index referenced
          remove a bad index | {'a':[1]} | [{'op':'remove','path':'/a/b'}] | error in remove for path: '/a/b': strconv.Atoi: parsing "b": invalid syntax
          add beyond the end | {'a':[1]} | [{'op':'add','path':'/a/2','value':1}] | error in add for path: '/a/2': Unable to access invalid index: 2: invalid index referenced
          add at a huge index | {'a':[1]} | [{'op':'add','path':'/a/99999999999','value':1}] | error in add for path: '/a/99999999999': Unable to access invalid index: 99999999999: invalid index referenced
          add at a bad index | {'a':[1]} | [{'op':'add','path':'/a/x','value':1}] | error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax
          replace below nothing | {} | [{'op':'replace','path':'/a/b','value':1}] | replace operation does not apply: doc is missing path: /a/b: missing value
          replace the end | {'a':[1]} | [{'op':'replace','path':'/a/-','value':1}] | replace operation does not apply: doc is missing key: /a/-: missing value
          replace the whole by a string | {} | [{'op':'replace','path':'','value':'x'}] | replace operation value must be object or array
          replace the whole by an array | {} | [{'op':'replace','path':'','value':[]}] | the patch replaces the object by something that is none
          move nothing | {} | [{'op':'move','from':'/a','path':'/b'}] | error in move for path: 'a': unable to get nonexistent key: a: missing value
          move into itself | {'a':{'b':1}} | [{'op':'move','from':'/a','path':'/a/b'}] | move operation does not apply: doc is missing destination path: /a/b: missing value
          test beyond the end | {'a':[]} | [{'op':'test','path':'/a/0','value':1}] | error in test for path: '/a/0': Unable to access invalid index: 0: invalid index referenced
          no operation | {} | [{'path':'/a'}] | Unexpected kind: unknown
          unknown operation | {} | [{'op':'merge','path':'/a'}] | Unexpected kind: merge
          no path | {} | [{'op':'add','value':1}] | add operation failed to decode path: missing value
          no path to replace | {} | [{'op':'replace','value':1}] | replace operation failed to decode path: operation missing path field: missing value
          no from | {} | [{'op':'move','path':'/a'}] | move operation failed to decode from: operation, missing from field: missing value
          """)
  void refusesWhatDoesNotFit(String name, String document, String patch, String message) {
    JsonPatch parsed = JsonPatch.parse(tree(patch));
    assertThatThrownBy(() -> parsed.apply(object(document)))
        .as(name)
        .isInstanceOfSatisfying(
            PatchException.class,
            e -> assertThat(e.kind()).isEqualTo(PatchException.Kind.UNPROCESSABLE))
        .hasMessage(message);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          an object | {} | error decoding patch: expected an array of operations, found an object
          an operation that is none | [1] | error decoding patch: operation 0: expected an object, found a number
          a path that is none | [{'op':'add','path':1}] | error decoding patch: operation 0: path: expected a string, found a number
          """)
  void refusesWhatIsNoPatch(String name, String patch, String message) {
    assertThatThrownBy(() -> JsonPatch.parse(tree(patch)))
        .as(name)
        .isInstanceOfSatisfying(
            PatchException.class,
            e -> assertThat(e.kind()).isEqualTo(PatchException.Kind.BAD_REQUEST))
        .hasMessage(message);
  }

  @Test
  void takesTenThousandOperationsAndNoMore() {
    Object operation = tree("{'op':'add','path':'/a','value':1}");
    JsonPatch most = JsonPatch.parse(JsonArray.copyOf(Collections.nCopies(10_000, operation)));
    assertThat(most.apply(JsonObject.EMPTY)).isEqualTo(object("{'a':1}"));
    assertThatThrownBy(
            () -> JsonPatch.parse(JsonArray.copyOf(Collections.nCopies(10_001, operation))))
        .isInstanceOfSatisfying(
            PatchException.class,
            e -> assertThat(e.kind()).isEqualTo(PatchException.Kind.TOO_LARGE))
        .hasMessage("The allowed maximum operations in a JSON patch is 10000, got 10001");
  }

  @Test
  void refusesCopiesThatGrowWithoutEnd() {
    Object operation = tree("{'op':'copy','from':'/a','path':'/a/-'}");
    JsonPatch deeper = JsonPatch.parse(JsonArray.copyOf(Collections.nCopies(9_000, operation)));
    assertThatThrownBy(() -> deeper.apply(object("{'a':[1]}")))
        .isInstanceOf(PatchException.class)
        .hasMessageContaining("the accumulated size increase of copy is");
    Object down = tree("{'op':'copy','from':'/a','path':'/a/a'}");
    JsonPatch nested = JsonPatch.parse(JsonArray.copyOf(Collections.nCopies(2_000, down)));
    assertThatThrownBy(() -> nested.apply(object("{'a':{}}")))
        .isInstanceOf(PatchException.class)
        .hasMessageContaining("nested deeper than 512 levels");
  }

  @Test
  void sharesWhatItDoesNotChange() {
    JsonObject document = object("{'a':{'b':1},'c':{'d':2}}");
    JsonObject patched =
        JsonPatch.parse(tree("[{'op':'replace','path':'/a/b','value':3}]")).apply(document);
    assertThat(patched.get("c")).isSameAs(document.get("c"));
    JsonPatch nothing = JsonPatch.parse(tree("[{'op':'replace','path':'/a/b','value':1}]"));
    assertThat(nothing.apply(document)).isSameAs(document);
  }
}
