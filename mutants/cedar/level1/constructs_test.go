package level1

import "testing"

const constructsSchema = `
namespace N {
  type Place = { "city": String, "zip"?: String };
  entity Group in [Group];
  entity Color enum ["red", "blue"];
  entity User in [Group] = { "place": Place, "home"?: Place, "friends": Set<User>, "boss"?: User, "level": Long, "two words": Bool } tags String;
  entity Doc in [Group] = { "owner": User, "readers": Set<Group>, "color": Color, "score": decimal, "places": Set<Place> } tags Set<Long>;
  action "all";
  action "see", "edit" in ["all"] appliesTo {
    principal: User, resource: Doc,
    context: { "key": String, "from": ipaddr, "other": ipaddr, "now": datetime, "later": datetime, "span": duration, "n": Long, "m": Long, "s": String, "t": String, "on": Bool }
  };
}`

// Whatever Cedar has, a policy that is made of it holds at some request, and at
// some it does not.
func TestRequestsAreFoundForWhatCedarHas(t *testing.T) {
	for _, condition := range []string{
		`principal.hasTag(context.key) && principal.getTag(context.key) == "owner"`,
		`principal.hasTag("a") && principal.getTag("a") like "x\**y"`,
		`resource.hasTag("a") && resource.getTag("a").containsAll([3, 4])`,
		`context.s like "*\u{2a}\*"`,
		`context.s like "a*b*c" && context.s != "abc"`,
		`context.s == context.t && context.s != "postern"`,
		`principal["two words"]`,
		`principal.place.city == "x" && principal has home && principal.home has zip && principal.home.zip == "1"`,
		`principal has home.zip && principal.home.zip == principal.place.city`,
		`principal.place == {city: "x"}`,
		`resource.places.contains({city: "x", zip: "1"})`,
		`principal.friends.contains(resource.owner) && resource.owner != principal`,
		`resource.owner.friends.contains(principal)`,
		`principal has boss && principal.boss has boss && principal.boss.boss == resource.owner`,
		`principal in resource.readers`,
		`resource.owner in [N::Group::"a", N::Group::"b"]`,
		`principal in N::Group::"a" && !(principal in N::Group::"b")`,
		`resource is N::Doc in N::Group::"a" && resource.owner is N::User`,
		`resource.color == N::Color::"blue"`,
		`action in N::Action::"all" && action == N::Action::"edit"`,
		`(if context.on then principal else resource.owner).level > 7`,
		`(if context.on then context.n else context.m) == 7`,
		`context.n * 3 - context.m == 10`,
		`-context.n > 5 && context.m < -9223372036854775807`,
		`[context.n, 7].contains(9)`,
		`[context.n, context.m].containsAll([1, 2])`,
		`{a: context.n}.a == 7`,
		`{a: context.n} == {a: 7}`,
		`context.from.isInRange(ip("10.0.0.0/8")) && context.from != ip("10.0.0.0")`,
		`context.from.isInRange(context.other) && context.from != context.other`,
		`context.from.isIpv6() && context.from.isLoopback() || context.from.isMulticast()`,
		`context.from == ip("2001:db8::/32")`,
		`resource.score.greaterThan(decimal("-1.5")) && resource.score.lessThanOrEqual(decimal("0.25"))`,
		`context.now.toTime() == duration("1h30m")`,
		`context.now.toDate() == datetime("2031-05-06") && context.now != datetime("2031-05-06")`,
		`context.now.durationSince(context.later) > duration("2d")`,
		`context.now.durationSince(datetime("2030-01-01")).toHours() == 7`,
		`context.now.offset(duration("1d")) < datetime("2030-01-01T10:00:00Z") && context.now > datetime("2029-12-30")`,
		`context.span.toMinutes() == 90 && context.span != duration("90m")`,
		`context.now.offset(context.span) == context.later && context.span > duration("0ms")`,
	} {
		t.Run(condition, func(t *testing.T) {
			for _, clause := range []string{"when", "unless"} {
				in := input(t, `@id("p") permit (principal, action, resource) `+clause+` { `+condition+` };`, constructsSchema)
				result := run1(t, in)
				if v := verdict(t, result, "p/drop-policy"); v.Status != Killed || !v.Witness.Allows || !v.Witness.Valid {
					t.Errorf("%s: %s without the policy, over %d requests", clause, v.Status, result.Valid)
				}
				if v := verdict(t, result, "p/drop-condition@"+clause+"[0]"); v.Status != Killed || !v.Witness.Valid {
					t.Errorf("%s: %s without the condition, over %d requests", clause, v.Status, result.Valid)
				}
			}
		})
	}
}
