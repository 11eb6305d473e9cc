package dev.berth.registry.patch;

import static dev.berth.registry.patch.Trees.object;
import static dev.berth.registry.patch.Trees.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.tree.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergePatchTest {
  /** The examples of RFC 7386, section 3 and appendix A. */
  @ParameterizedTest(name = "{0} + {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {'a':'b'} | {'a':'c'} | {'a':'c'}
          {'a':'b'} | {'b':'c'} | {'a':'b','b':'c'}
          {'a':'b'} | {'a':null} | {}
          {'a':'b','b':'c'} | {'a':null} | {'b':'c'}
          {'a':['b']} | {'a':'c'} | {'a':'c'}
          {'a':'c'} | {'a':['b']} | {'a':['b']}
          {'a':{'b':'c'}} | {'a':{'b':'d','c':null}} | {'a':{'b':'d'}}
          {'a':[{'b':'c'}]} | {'a':[1]} | {'a':[1]}
          ['a','b'] | ['c','d'] | ['c','d']
          {'a':'b'} | ['c'] | ['c']
          {'a':'foo'} | null | null
          {'a':'foo'} | 'bar' | 'bar'
          {'e':null} | {'a':1} | {'e':null,'a':1}
          [1,2] | {'a':'b','c':null} | {'a':'b'}
          {} | {'a':{'bb':{'ccc':null}}} | {'a':{'bb':{}}}
          {'title':'Goodbye!','author':{'givenName':'John','familyName':'Doe'},'tags':['example','sample'],'content':'This'} | {'title':'Hello!','phoneNumber':'+01','author':{'familyName':null},'tags':['example']} | {'title':'Hello!','author':{'givenName':'John'},'tags':['example'],'content':'This','phoneNumber':'+01'}
          {'a':[{'b':null}]} | {'a':[null,{'c':null}]} | {'a':[null,{}]}
          {} | {'a':[{'c':null,'d':[{'e':null}]}]} | {'a':[{'d':[{}]}]}
          {'a':{'b':1}} | {'a':[{'c':null}]} | {'a':[{'c':null}]}
          """)
  void merges(String target, String patch, String expected) {
    assertThat(MergePatch.merge(tree(target), tree(patch))).isEqualTo(tree(expected));
  }

  @Test
  void refusesAPatchThatIsNoObject() {
    assertThatThrownBy(() -> MergePatch.apply(JsonObject.EMPTY, tree("[]")))
        .isInstanceOfSatisfying(
            PatchException.class,
            e -> assertThat(e.kind()).isEqualTo(PatchException.Kind.BAD_REQUEST))
        .hasMessage("error decoding patch: expected an object, found an array");
  }

  @Test
  void sharesWhatItDoesNotChange() {
    JsonObject live = object("{'a':{'b':1},'c':{'d':[1,{'e':2}]}}");
    assertThat(MergePatch.apply(live, object("{'c':{'d':[1,{'e':2}]},'x':null}"))).isSameAs(live);
    assertThat(MergePatch.apply(live, object("{'c':null}")).get("a")).isSameAs(live.get("a"));
  }
}
